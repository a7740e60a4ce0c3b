const maxLength = 500;

/** Text of the CMS as it may stand in a message: one line, not too long, without the secrets that it may repeat. */
export function readable(text: string, secrets: string[]): string {
  const clean = secrets.reduce((safe, secret) => safe.replaceAll(secret, '[secret]'), text);
  const line = clean.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
