import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { markBytes, markedIn, showByte } from './undecodable.ts';

/** A line that is not valid in its charset, as it was read. */
export interface RepairedLine {
  /** With marks for bytes that cannot be decoded. */
  text: string;
  /** The place of the first bad byte in the line. */
  offset: number;
  /** The text around the first bad bytes, for people. */
  shown: string;
}

/** Bytes that belong together: characters of UTF-8, or bytes that are none. */
interface Part {
  bytes: Uint8Array;
  isSound: boolean;
}

const SHOWN = 20;

/**
 * Decodes a line that is not valid UTF-8. Characters of UTF-8 stay. Other bytes are read in the fallback charset (a text was
 * pasted from elsewhere), unless they look like the remains of UTF-8, as after a cut inside a character.
 */
export function repairLine(line: Uint8Array, fallback: string): RepairedLine {
  const parts = partsOf(line);
  const bad = parts.findIndex(({ isSound }) => !isSound);
  const offset = parts.slice(0, bad).reduce((sum, { bytes }) => sum + bytes.length, 0);
  const [before, first, after] = [parts[bad - 1], parts[bad], parts[bad + 1]].map((part) => part?.bytes);
  const around = `${utf8(before).slice(-SHOWN)}${Array.from(first ?? [], showByte).join('')}${utf8(after).slice(0, SHOWN)}`;
  return {
    text: wholeIn(line, parts, fallback) ?? joined(parts, fallback),
    offset,
    shown: around.replace(/[\r\n]+/g, ''),
  };
}

function utf8(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString();
}

function partsOf(line: Uint8Array): Part[] {
  const parts: Part[] = [];
  let start = 0;
  let isSound = true;
  for (let at = 0; at < line.length; ) {
    const length = lengthOfCharacter(line, at);
    if (length > 0 !== isSound) {
      if (at > start) parts.push({ bytes: line.subarray(start, at), isSound });
      start = at;
      isSound = length > 0;
    }
    at += length || 1;
  }
  parts.push({ bytes: line.subarray(start), isSound });
  return parts;
}

/** Returns the number of bytes of the UTF-8 character at a place; 0: there is none. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** Reads the whole line in the fallback charset, if most of what is not ASCII is no UTF-8: the rest may be a coincidence. */
function wholeIn(line: Uint8Array, parts: readonly Part[], fallback: string): string | undefined {
  const sound = parts.filter(({ isSound }) => isSound).map(({ bytes }) => bytes);
  const characters = sound.reduce((sum, bytes) => sum + charactersBeyondAscii(utf8(bytes)), 0);
  const badBytes = line.length - sound.reduce((sum, { length }) => sum + length, 0);
  if (characters >= badBytes || sound.some((bytes) => isSurelyUtf8(bytes, fallback))) return undefined;
  const text = tryDecode(fallback, line);
  if (isMultiByte(fallback)) return badBytes >= SURE ? text : undefined;
  return markedIn(joined(parts, fallback)) === undefined ? text : undefined;
}

function joined(parts: readonly Part[], fallback: string): string {
  let text = '';
  for (const [index, { bytes, isSound }] of parts.entries()) {
    const next = parts[index + 1]?.bytes[0] ?? 0;
    // The remains of a character could be another one in a charset with several bytes for a character.
    const read = isSound ? utf8(bytes) : isMultiByte(fallback) ? undefined : tryDecode(fallback, bytes);
    const isRead =
      read !== undefined && (isSound || isLikely(bytes, text.at(-1) ?? '', read, String.fromCharCode(next)));
    text += isRead ? read : markBytes(bytes);
  }
  return text;
}

/** The beginnings of frequent characters of UTF-8 with three or four bytes: quotes, dashes, symbols, emoji. */
const remains = /\xe2[\x80-\x9e]|\xf0\x9f|\xef[\xb8\xbb\xbf]/;

/** Whether the reading of bytes in a charset of one byte makes sense between two characters. */
function isLikely(bytes: Uint8Array, before: string, read: string, after: string): boolean {
  if (/[\p{Cc}\p{Co}\uFFFD]/u.test(read) || remains.test(Buffer.from(bytes).toString('latin1'))) return false;
  const endsWord = !/\p{L}/u.test(after);
  // A capital after a small letter, or a lone â, is the first byte of a character that was cut off.
  if (endsWord && /\p{Ll}$/u.test(before) && /^\p{Lu}$/u.test(read)) return false;
  if (endsWord && read === 'â') return false;
  // 0xFF fills gaps and ends streams.
  const isFill = bytes.includes(0xff) && !/^[^\P{L}ÿ]+$/u.test(read);
  return !isFill || (read === 'ÿ' && /\p{L}/u.test(before) && !endsWord);
}

function isMultiByte(charset: string): boolean {
  return /^(shift_jis|euc-|gb|big5|iso-2022)/.test(charset);
}

/** The characters of Western languages in UTF-8: letters, quotes, dashes and the euro. */
const western = /^[\0-\x7f\u00a0-\u00ff\u2010-\u203a\u20ac]*$/;

/** So many characters of UTF-8 are no coincidence. */
const SURE = 4;

/** Returns true if valid UTF-8 has characters beyond ASCII that are hardly text in another charset. */
export function isSurelyUtf8(bytes: Uint8Array, other: string): boolean {
  const text = utf8(bytes);
  const beyond = charactersBeyondAscii(text);
  return beyond >= SURE || (beyond > 0 && western.test(text) && hasLatinLetters(other));
}

/** In Latin charsets, western letters of UTF-8 look like no words: Ã©. */
function hasLatinLetters(charset: string): boolean {
  return /^\p{Script=Latin}$/u.test(tryDecode(charset, Uint8Array.of(0xc3)) ?? '');
}

/** Counts the characters of a text that are not ASCII. */
export function charactersBeyondAscii(text: string): number {
  return text.match(/[^\0-\x7f]/gu)?.length ?? 0;
}

const decoders = new Map<string, TextDecoder>();

/** Decodes bytes strictly. Undefined: they are not valid in the charset, or there is no such charset. A byte order mark of UTF-8 stays. */
export function tryDecode(charset: string, bytes: Uint8Array): string | undefined {
  try {
    // With ignoreBOM, Node 22 drops an initial ÿ in charsets of one byte.
    const decoder = decoders.get(charset) ?? new TextDecoder(charset, { fatal: true, ignoreBOM: charset === 'utf-8' });
    decoders.set(charset, decoder);
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
