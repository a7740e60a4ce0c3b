const maxLength = 500;

/** Prepares text of the CMS for a message: one line, shortened, without the secrets that it may repeat. */
export function readable(text: string, secrets: string[]): string {
  const clean = secrets.reduce((safe, secret) => safe.replaceAll(secret, '[secret]'), text);
  const line = clean.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
