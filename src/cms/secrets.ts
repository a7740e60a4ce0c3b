const SECRET = '[secret]';
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Removes secrets from a text that may repeat them. If a secret is in another spelling (escaped for HTML, an address or JSON,
 * or in base64), removes the whole text.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((safe, secret) => safe.replaceAll(secret, SECRET), text);
  const readings = [fromHtml(clean), fromAddress(clean), fromJson(clean), ...fromBase64(clean)];
  return readings.some((reading) => secrets.some((secret) => reading.includes(secret))) ? SECRET : clean;
}

function fromHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function fromAddress(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[\da-f]{2})+/gi, (escaped) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString());
}

function fromJson(text: string): string {
  return text.replace(
    /\\(?:u([\da-f]{4})|(["\\/]))/gi,
    (_, hex, character) => character ?? String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function fromBase64(text: string): string[] {
  return [...text.matchAll(/[\w+/-]{4,}/g)].map(([encoded]) => Buffer.from(encoded, 'base64').toString());
}
