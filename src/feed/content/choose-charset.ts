import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { byteOrderMark, declaredCharset } from '../../core/charset/charset.ts';
import {
  type CharsetEvidence,
  charsetEvidence,
  fallbackCharset,
  fits,
  isMostlyUtf8,
} from '../../core/charset/charset-evidence.ts';
import { CodedError } from '../../core/errors.ts';

export interface CharsetOptions {
  /** For messages. */
  location: string;
  /** Charset label from source.encoding. */
  encoding?: string;
  /** Content-Type header, for its charset parameter. */
  contentType?: string;
}

/** How a text is decoded. */
export interface ChosenCharset {
  charset: string;
  /** In per cent, if the charset was only detected from the bytes. */
  confidence?: number;
  /** Returns the charset of single lines that are not valid UTF-8. */
  fallback(): string;
  /** Warning that the text is not in the charset that is declared for it, or perhaps not in this one. */
  contradiction?: string;
}

/** The part of a text from which its charset is chosen. */
export const SAMPLE_BYTES = 1 << 20;

/** Fewer bytes do not show a charset. */
const LEAST_BYTES = 4;

/**
 * Chooses the charset of a text from what is declared and from all words of its beginning. UTF-8 is recognised for certain, so
 * it is chosen whatever is declared; a few damaged lines do not change that. Labels are those of the WHATWG Encoding Standard.
 * @throws CodedError FF_FEED_CHARSET if `encoding` is unknown, or is UTF-8 and the text is not
 */
export async function chooseCharset(sample: Uint8Array, options: CharsetOptions): Promise<ChosenCharset> {
  const declared = declarationOf(sample, options);
  const utf16 = declaredUtf16(declared, sample) ?? utf16WithoutMark(sample);
  if (utf16 !== undefined) return { charset: utf16, fallback: () => utf16 };
  const named = declared && !isUtf16(declared.charset) ? declared.charset : undefined;
  const other = named === 'utf-8' ? undefined : named;
  const fallback = () => other ?? fallbackCharset(charsetEvidence(sample));
  if (other === undefined && isWhollyUtf8(sample)) {
    return { charset: 'utf-8', fallback, contradiction: contradiction(declared, 'utf-8') };
  }
  const evidence = charsetEvidence(sample, other);
  const isInUtf8 = isMostlyUtf8(evidence);
  if (isInUtf8 || (other === undefined && evidence.badBytes < LEAST_BYTES)) {
    return { charset: 'utf-8', fallback, contradiction: isInUtf8 ? contradiction(declared, 'utf-8') : undefined };
  }
  if (other !== undefined && (declared?.isCertain || fits(other, evidence))) return { charset: other, fallback };
  const detected = await detect(sample, evidence);
  if (detected === undefined) return { charset: 'utf-8', fallback };
  if (declared?.isCertain && !declared.isMark) throw notUtf8(detected.charset, options);
  return {
    ...detected,
    fallback: () => detected.charset,
    contradiction: contradiction(declared, detected.charset) ?? oldMac(sample, detected.charset),
  };
}

/** Most texts are valid: their words need not be looked at. The sample may end inside a character. */
function isWhollyUtf8(sample: Uint8Array): boolean {
  return isUtf8(
    sample.length < SAMPLE_BYTES ? sample : sample.subarray(0, sample.findLastIndex((byte) => byte < 0x80) + 1),
  );
}

interface Declaration {
  charset: string;
  /** Who declares it, for messages. */
  by: string;
  /** Whether other charsets are not considered, except UTF-8. */
  isCertain: boolean;
  isMark?: boolean;
}

function declarationOf(
  sample: Uint8Array,
  { encoding, contentType, location }: CharsetOptions,
): Declaration | undefined {
  const mark = byteOrderMark(sample);
  if (mark !== undefined) return { charset: mark, by: 'the byte order mark', isCertain: true, isMark: true };
  if (encoding !== undefined)
    return { charset: knownCharset(encoding, location), by: 'source.encoding', isCertain: true };
  const inHeader = declaredCharset(contentType);
  if (inHeader !== undefined) return { charset: inHeader, by: 'the Content-Type header', isCertain: false };
  const inPage = charsetInPage(sample);
  return inPage === undefined ? undefined : { charset: inPage, by: 'the page', isCertain: false };
}

/** The part of a page in which browsers look for its charset; many pages have it later. */
const PAGE_HEAD = 4096;

/** Returns the charset that a web page declares: `<meta charset=…>`, or its older form, or an XML declaration. */
function charsetInPage(sample: Uint8Array): string | undefined {
  const head = Buffer.from(sample.subarray(0, PAGE_HEAD)).toString('latin1');
  if (!head.trimStart().startsWith('<')) return undefined;
  const tags = head.match(/<(?:meta|\?xml)\b[^<>]{0,300}>/gi) ?? [];
  const labels = tags.map((tag) => /\b(?:charset|encoding)\s?=\s?["']?\s?([\w.:-]{1,40})/i.exec(tag)?.[1]);
  const label = labels.find((one) => one !== undefined);
  return label === undefined ? undefined : declaredCharset(`;charset=${label}`);
}

function contradiction(declared: Declaration | undefined, charset: string): string | undefined {
  if (declared === undefined || declared.charset === charset) return undefined;
  const remedy = declared.by === 'source.encoding' ? '. Remove source.encoding' : '';
  return `${declared.by} says ${declared.charset}, but the text is ${charset}, and was read as such${remedy}`;
}

/** Excel writes CR line ends together with Mac Roman, which nothing but its letters tells from other charsets. */
function oldMac(sample: Uint8Array, charset: string): string | undefined {
  if (!sample.includes(0x0d) || sample.includes(0x0a)) return undefined;
  return `its lines end with CR, as in files of a Mac, and were read as ${charset}. If letters are wrong, set source.encoding: macintosh`;
}

/** ASCII characters in UTF-16 have a NUL in every second byte; no other charset has that. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 512);
  if (start.length % 2 === 1) return undefined;
  const even = start.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  const odd = start.filter((byte, index) => byte === 0 && index % 2 === 1).length;
  if (odd > start.length / 4 && even * 8 < odd) return 'utf-16le';
  if (even > start.length / 4 && odd * 8 < even) return 'utf-16be';
  return undefined;
}

/** A header that says UTF-16 is wrong about text that is valid in UTF-8. */
function declaredUtf16(declared: Declaration | undefined, sample: Uint8Array): string | undefined {
  if (declared === undefined || !isUtf16(declared.charset)) return undefined;
  return declared.isCertain || !isUtf8(sample) ? declared.charset : undefined;
}

function isUtf16(charset: string): boolean {
  return charset.startsWith('utf-16');
}

async function detect(sample: Uint8Array, evidence: CharsetEvidence) {
  // Few feeds need the detection.
  const { analyse } = await import('chardet');
  const found = analyse(sample).find(({ name }) => name === 'UTF-8' || (fits(name, evidence) && !isUtf16(name)));
  // Text that is almost entirely UTF-8 is damaged UTF-8, not another charset.
  if (found === undefined || found.name === 'UTF-8') return undefined;
  return { charset: new TextDecoder(found.name).encoding, confidence: found.confidence };
}

function knownCharset(label: string, location: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    throw new CodedError('FF_FEED_CHARSET', `Unknown charset "${label}".`, {
      cause,
      remedy: `Correct source.encoding of ${location}, for example utf-8, windows-1252 or utf-16le.`,
    });
  }
}

function notUtf8(charset: string, { location }: CharsetOptions): CodedError {
  const message = `${location} is not utf-8, as source.encoding says; it looks like ${charset}.`;
  return new CodedError('FF_FEED_CHARSET', message, { remedy: `Check the text, then write: encoding: ${charset}` });
}
