import { TextDecoder } from 'node:util';
import { byteOrderMark, declaredCharset } from '../../../src/core/charset/charset.ts';
import { charsetEvidence, fallbackCharset, isMostlyUtf8 } from '../../../src/core/charset/charset-evidence.ts';
import { repairLine, tryDecode } from '../../../src/core/charset/repair-line.ts';
import { replaceMarks } from '../../../src/core/charset/undecodable.ts';
import type { ReadContext } from '../../../src/core/connector.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Feed } from '../../../src/core/feed.ts';
import { peekBytes } from '../../../src/core/peek.ts';
import { type Line, splitLines } from '../../text/split-lines.ts';
import { decodeAsDeclared } from './encodings.ts';

/** Lines that never continue a value, although the line before ends like a soft line break. */
const structural = /^(?:BEGIN:|END:V|UID[:;]|DT(?:START|END|STAMP)[:;])/i;

/** A content line (RFC 5545, 3.1), unfolded and decoded. */
export type ContentLine = Omit<Line, 'end'>;

/** A line may contain a base64 image of 10 MB and more. */
const MAX_LINE_BYTES = 32_000_000;

/** The part of a calendar from which its charset is judged. */
const SAMPLE_BYTES = 1 << 16;

/** For bytes that cannot be decoded: a calendar is read in any case. */
const western = new TextDecoder('windows-1252');

/**
 * Reads the content lines of a calendar. Lines are unfolded before they are decoded, because a fold may be inside a character.
 * The charset is that of the byte order mark or the content type, or UTF-8 (RFC 5545), also if the content type contradicts
 * the text. A line that is invalid in this charset is decoded in the charset that it declares itself (CHARSET, in vCalendar
 * 1.0). Or else it keeps its UTF-8, and its other bytes are decoded in the charset of the language; the first such line
 * causes a warning. NULs are removed.
 * @throws CodedError FF_FEED_CHARSET for damaged UTF-16
 */
export async function* readContentLines(feed: Feed, context: Pick<ReadContext, 'warn'>): AsyncGenerator<ContentLine> {
  const { charset, bytes, contradiction, fallbackOf } = await detectCharset(feed);
  if (contradiction !== undefined) context.warn({ at: feed.location, message: contradiction });
  let fallback: string | undefined;
  for await (const line of unfoldLines(bytes)) {
    const encoded = Buffer.from(line.text, 'latin1');
    let text = tryDecode(charset, encoded) ?? decodeAsDeclared(encoded);
    if (text === undefined) {
      const isFirst = fallback === undefined;
      fallback ??= fallbackOf();
      const message = `not valid ${charset}; such lines are decoded as ${fallback}. If that is wrong, set source.encoding`;
      if (isFirst) context.warn({ at: `line ${line.number}`, message });
      text = replaceMarks(repairLine(encoded, fallback).text, (byte) => western.decode(Uint8Array.of(byte)));
    }
    // The decoding of a line does not strip a byte order mark.
    yield { ...line, text: text.includes('\0') || text.startsWith('\uFEFF') ? text.replace(/^\uFEFF|\0/g, '') : text };
  }
}

interface DetectedCharset {
  charset: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Set if the calendar is not in the charset that is declared for it. */
  contradiction?: string;
  /** Returns the charset of lines that are not valid. */
  fallbackOf(): string;
}

async function detectCharset(feed: Feed): Promise<DetectedCharset> {
  const { first, all } = await peekBytes(feed.bytes(), SAMPLE_BYTES);
  const marked = byteOrderMark(first) ?? utf16WithoutMark(first);
  const declared = declaredCharset(feed.contentType) ?? 'utf-8';
  const isOther = marked === undefined && declared !== 'utf-8' && isMostlyUtf8(charsetEvidence(first, declared));
  const charset = marked ?? (isOther ? 'utf-8' : declared);
  const fallbackOf = () => fallbackCharset(charsetEvidence(first));
  const contradiction = isOther
    ? `the charset ${declared} is declared, but the text is utf-8, and was read as such`
    : undefined;
  if (!charset.startsWith('utf-16')) return { charset, bytes: all, contradiction, fallbackOf };
  // UTF-16 is converted to UTF-8 first, because its line ends have two bytes.
  return { charset: 'utf-8', bytes: transcode(all, charset, feed), fallbackOf };
}

/** Recognises UTF-16 without a byte order mark: one of the first two bytes is a NUL, the other is the B of BEGIN. */
function utf16WithoutMark([first, second]: Uint8Array): string | undefined {
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : undefined;
}

async function* transcode(bytes: AsyncIterable<Uint8Array>, charset: string, feed: Feed): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(charset, { fatal: true });
  for await (const chunk of bytes) {
    const text = decodeNext(decoder, chunk);
    if (text === undefined) throw new CodedError('FF_FEED_CHARSET', `${feed.location} is not valid ${charset}.`);
    yield Buffer.from(text);
  }
}

/** Joins the lines of each content line and skips blank lines. Each byte is still one character. */
async function* unfoldLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ContentLine> {
  let current: ContentLine | undefined;
  let more: string[] = [];
  let length = 0;
  for await (const lines of splitLines(asLatin1(bytes), MAX_LINE_BYTES)) {
    for (const { number, text, tooLong } of lines) {
      if (current && continues(current.text, more.at(-1) ?? current.text, text)) {
        length += text.length;
        current.tooLong ||= tooLong || length > MAX_LINE_BYTES;
        if (!current.tooLong) more.push(text);
      } else if (text !== '') {
        if (current) yield { ...current, text: unfold(current.text, more) };
        current = { number, text, tooLong };
        [more, length] = [[], text.length];
      }
    }
  }
  if (current) yield { ...current, text: unfold(current.text, more) };
}

async function* asLatin1(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const chunk of bytes)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
}

function decodeNext(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Returns whether a content line has a quoted-printable value. */
function isQuotedPrintable(line: string): boolean {
  return /^[^:]*[;=]\s*"?QUOTED-PRINTABLE\b/i.test(line);
}

/** Returns whether a line continues a content line, of which the first and the last line are given: folded or after a soft line break. */
function continues(first: string, last: string, line: string): boolean {
  if (/^[ \t]/.test(line)) return true;
  return last.endsWith('=') && isQuotedPrintable(first) && !structural.test(line);
}

/** Joins the lines of a content line (RFC 5545, 3.1). */
function unfold(first: string, more: readonly string[]): string {
  if (more.length === 0 && !first.endsWith('=')) return first;
  if (isQuotedPrintable(first)) return joinQuotedPrintable([first, ...more]);
  return first + more.map((line) => line.slice(1)).join('');
}

/**
 * Joins the lines of a quoted-printable value, also after soft line breaks (RFC 2045, 6.7). A blank after a soft line break belongs to
 * the text, unless the lines are folded as well: several lines and all begin with a blank, or a blank is inside of a character.
 */
function joinQuotedPrintable(lines: readonly string[]): string {
  const isSoft = (index: number) => lines[index - 1]?.endsWith('=') ?? false;
  const afterBreaks = lines.filter((_, index) => isSoft(index));
  const areFolded = afterBreaks.length > 1 && afterBreaks.every((line) => /^[ \t]/.test(line));
  const isInCharacter = (index: number) =>
    /=[C-F][\dA-F]=$/i.test(lines[index - 1] ?? '') && /^[ \t]=[89AB][\dA-F]/i.test(lines[index] ?? '');
  const textOf = (line: string, index: number) => {
    const isContent = index === 0 || (isSoft(index) && !areFolded && !isInCharacter(index));
    const text = isContent ? line : line.replace(/^[ \t]/, '');
    return text.endsWith('=') ? text.slice(0, -1) : text;
  };
  return lines.map(textOf).join('');
}
