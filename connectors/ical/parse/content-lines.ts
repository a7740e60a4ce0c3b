import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { byteOrderMark, declaredCharset } from '../../../src/core/charset.ts';
import type { ReadContext } from '../../../src/core/connector.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Feed } from '../../../src/core/feed.ts';
import { peekBytes } from '../../../src/core/peek.ts';
import { isSurelyUtf8, repairLine, tryDecode } from '../../../src/core/text/repair-line.ts';
import { replaceMarks } from '../../../src/core/text/undecodable.ts';
import { type Line, splitLines } from '../../text/split-lines.ts';

/** A content line (RFC 5545, 3.1), unfolded and decoded. */
export type ContentLine = Omit<Line, 'end'>;

/** A line may contain a base64 image of 10 MB and more. */
const MAX_LINE_BYTES = 32_000_000;

/** The charset of a line that is not valid. */
const FALLBACK = 'windows-1252';

/**
 * Reads the content lines of a calendar. Lines are unfolded before they are decoded, because a fold may be inside a character.
 * The charset is that of the byte order mark or the content type, or UTF-8 (RFC 5545). A line that is invalid in this charset
 * keeps its UTF-8, and its other bytes are decoded as windows-1252; the first such line causes a warning. NULs are removed.
 * @throws CodedError FF_FEED_CHARSET for damaged UTF-16
 */
export async function* readContentLines(feed: Feed, context: Pick<ReadContext, 'warn'>): AsyncGenerator<ContentLine> {
  const { charset, bytes } = await detectCharset(feed);
  let hasWarned = false;
  for await (const line of unfoldLines(bytes)) {
    const encoded = Buffer.from(line.text, 'latin1');
    const isOther = charset !== 'utf-8' && isUtf8(encoded) && isSurelyUtf8(encoded, charset);
    let text = tryDecode(isOther ? 'utf-8' : charset, encoded);
    if (text === undefined || isOther) {
      const repaired = text ?? repairLine(encoded, FALLBACK).text;
      text = replaceMarks(repaired, (byte) => tryDecode(FALLBACK, Uint8Array.of(byte)) ?? '');
      const readAs = isOther ? 'read as utf-8' : `decoded as ${FALLBACK}. If that is wrong, set source.encoding`;
      if (!hasWarned)
        context.warn({ at: `line ${line.number}`, message: `not valid ${charset}; such lines are ${readAs}` });
      hasWarned = true;
    }
    // A byte order mark is not stripped by the decoding of a line.
    yield { ...line, text: text.includes('\0') || text.startsWith('\uFEFF') ? text.replace(/^\uFEFF|\0/g, '') : text };
  }
}

async function detectCharset(feed: Feed): Promise<{ charset: string; bytes: AsyncIterable<Uint8Array> }> {
  // The longest byte order mark has three bytes.
  const { first, all } = await peekBytes(feed.bytes(), 3);
  const charset = byteOrderMark(first) ?? utf16WithoutMark(first) ?? declaredCharset(feed.contentType) ?? 'utf-8';
  if (!charset.startsWith('utf-16')) return { charset, bytes: all };
  // UTF-16 is converted to UTF-8 first, because its line ends have two bytes.
  return { charset: 'utf-8', bytes: transcode(all, charset, feed) };
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

/** Joins folded lines and skips blank lines. Each byte is still one character. */
async function* unfoldLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ContentLine> {
  let current: ContentLine | undefined;
  for await (const lines of splitLines(asLatin1(bytes), MAX_LINE_BYTES)) {
    for (const { number, text, tooLong } of lines) {
      if (current && /^[ \t]/.test(text)) {
        current.tooLong ||= tooLong || current.text.length + text.length - 1 > MAX_LINE_BYTES;
        if (!current.tooLong) current.text += text.slice(1);
      } else if (text !== '') {
        if (current) yield current;
        current = { number, text, tooLong };
      }
    }
  }
  if (current) yield current;
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
