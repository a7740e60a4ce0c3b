const words = new Set(['pass', 'pwd', 'pw', 'otp']);
const names =
  /password|passwd|passphrase|passcode|passwort|kennwort|motdepasse|wachtwoord|contrasena|secret(?!ar)|token|apikey|accesskey|privatekey|credential|authorization/;

/** Whether the name of a field suggests that it holds a secret. */
export function looksSecret(name: string): boolean {
  const parts = name
    .normalize('NFD')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}]+/u);
  return parts.some((part) => words.has(part)) || names.test(parts.join(''));
}

/** Whether the name of a parameter of an address suggests that it holds a secret: there, a key or signature is one, too. */
export function looksSecretParameter(name: string): boolean {
  return looksSecret(name) || /(key|signature)$/i.test(name);
}
