import { TextDecoder } from 'node:util';
import type { Property } from './property.ts';

/** Properties that are texts, also in base64. */
const texts = new Set(
  'SUMMARY DESCRIPTION LOCATION COMMENT CONTACT CATEGORIES RESOURCES X-ALT-DESC STYLED-DESCRIPTION'.split(' '),
);

/**
 * Quoted-printable text that does not say so: a line break, a letter of several bytes, or a letter of one byte inside of a word.
 */
const likeQuotedPrintable = /=0D=0A|=[C-F][\dA-F]=[89AB][\dA-F]|[A-Za-z]=[EF][\dA-F][a-z]/;

/** Lists that vCalendar 1.0 separates with semicolons. */
const semicolonLists = new Set(['CATEGORIES', 'RESOURCES']);

/**
 * Decodes the value of a property in an encoding of vCalendar 1.0: quoted-printable, or base64 for texts. `warn` reports a value that
 * is damaged, or looks encoded but does not say so; such a value is kept as written.
 */
export function decodeValue(
  property: Property,
  version: string | undefined,
  warn: (message: string) => void,
): Property {
  const decoded = decode(property, warn);
  if (version !== '1.0' || !semicolonLists.has(property.name)) return decoded;
  return { ...decoded, value: decoded.value.replace(/(?<!\\);/g, ',') };
}

function decode(property: Property, warn: (message: string) => void): Property {
  const { name, params, value } = property;
  const encoding = params.get('ENCODING')?.toUpperCase();
  if (encoding === 'QUOTED-PRINTABLE') return { ...property, value: quotedPrintable(value, params.get('CHARSET')) };
  if (!texts.has(name)) return property;
  if ((encoding === 'BASE64' || encoding === 'B') && value !== '') {
    const text = value.replace(/\s/g, '');
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(text))
      return { ...property, value: decodeBytes(Buffer.from(text, 'base64'), params.get('CHARSET')) };
    warn(`${name} is not valid base64, and is kept as written: ${value.slice(0, 60)}`);
  } else if (value.includes('=') && likeQuotedPrintable.test(value)) {
    const advice = 'is kept as written. If it is, the source should add ENCODING=QUOTED-PRINTABLE';
    warn(`${name} looks like quoted-printable text, but does not say so, and ${advice}: ${value.slice(0, 60)}`);
  }
  return property;
}

/** Returns the bytes that a content line declares for its own value, as text; undefined if it declares no known charset. */
export function decodeAsDeclared(line: Uint8Array): string | undefined {
  const head = /^[^:]*/.exec(Buffer.from(line).toString('latin1').slice(0, 1000))?.[0] ?? '';
  const label = /;\s*CHARSET\s*=\s*"?([\w-]+)/i.exec(head)?.[1];
  return label === undefined ? undefined : tryDecode(line, label);
}

/** Decodes escapes such as =C3=A9 (RFC 2045, 6.7). Other signs of equality are kept. */
function quotedPrintable(value: string, charset: string | undefined): string {
  const toBytes = (text: string) =>
    text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const decodeText = (text: string) => decodeBytes(Buffer.from(toBytes(text), 'latin1'), charset);
  const isAscii = !/[^\0-\x7F]/.test(value);
  // Text beside the escapes may be decoded already. In ASCII, it may be the second half of a character, as in Shift_JIS.
  return isAscii ? decodeText(value) : value.replace(/(?:=[\dA-F]{2})+/gi, decodeText);
}

/** Decodes bytes in their charset, or else as UTF-8, or else as windows-1252. */
function decodeBytes(bytes: Uint8Array, charset = 'utf-8'): string {
  const text = tryDecode(bytes, charset.trim()) ?? tryDecode(bytes, 'utf-8') ?? tryDecode(bytes, 'windows-1252') ?? '';
  return text.replaceAll('\r\n', '\n').replaceAll('\0', '');
}

function tryDecode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
