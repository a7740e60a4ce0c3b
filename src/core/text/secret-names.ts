import { isObject } from '../record.ts';

const words = new Set(['pass', 'pwd', 'pw', 'otp', 'pin', 'puk', 'ssn', 'cvv', 'cvc', 'totp', 'iban']);
const names =
  /password|passwd|passphrase|passcode|passwort|kennwort|motdepasse|wachtwoord|contrasena|secret(?!ar)|token|apikey|accesskey|privatekey|credential|authorization|socialsecurity|creditcard|securityanswer/;

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

const HIDDEN = '[redacted]';

/** Returns the fields of a record for people who look for their meaning: without the texts and numbers of secrets, at any depth. */
export function withoutSecretFields<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [name, hidden(value, looksSecret(name))]);
  return Object.fromEntries(entries) as Fields;
}

function hidden(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => hidden(item, isSecret));
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, member]) => [
      name,
      hidden(member, isSecret || looksSecret(name)),
    ]);
    return Object.fromEntries(entries);
  }
  return isSecret && (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) ? HIDDEN : value;
}
