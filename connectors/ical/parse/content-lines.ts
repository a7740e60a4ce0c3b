import { TextDecoder } from 'node:util';
import type { ReadContext } from '../../../src/core/connector.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Feed } from '../../../src/core/feed.ts';
import { unfoldLines } from './unfold-lines.ts';

/** One content line as text. */
export interface ContentLine {
  number: number;
  text: string;
  tooLong: boolean;
}

/**
 * The content lines of a calendar. A fold may stand inside a character, so unfolding comes before decoding, and this settles
 * the charset itself: byte order mark, the charset of the content type, else UTF-8, the charset of RFC 5545. A line that
 * does not fit is read as windows-1252, with a warning on the first. NULs are left out.
 * @throws CodedError FF_FEED_CHARSET for UTF-16 that is damaged.
 */
export async function* readContentLines(feed: Feed, context: Pick<ReadContext, 'warn'>): AsyncGenerator<ContentLine> {
  const { charset, bytes } = await settleCharset(feed);
  const decoder = new TextDecoder(charset, { fatal: true });
  const fallback = new TextDecoder('windows-1252');
  let warned = false;
  for await (const { number, bytes: line, tooLong } of unfoldLines(bytes)) {
    let text = tryDecode(decoder, line);
    if (text === undefined) {
      text = fallback.decode(line);
      const message = `it is not ${charset}, and read as windows-1252 like others of its kind; source.encoding names another`;
      if (!warned) context.warn({ at: `line ${number}`, message });
      warned = true;
    }
    yield { number, text: text.includes('\0') ? text.replaceAll('\0', '') : text, tooLong };
  }
}

async function settleCharset(feed: Feed): Promise<{ charset: string; bytes: AsyncIterable<Uint8Array> }> {
  const iterator = feed.bytes()[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  // The longest byte order mark has three bytes.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= 3) break;
  }
  const all = resume(start, iterator);
  const marked = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  const charset = marked ? 'utf-8' : (utf16By(start) ?? declaredCharset(feed.contentType) ?? 'utf-8');
  // UTF-16 has line ends of two bytes: decoded first, it is UTF-8 for all that follows.
  return charset.startsWith('utf-16')
    ? { charset: 'utf-8', bytes: transcode(all, charset, feed) }
    : { charset, bytes: all };
}

/** UTF-16 by its mark, or by the NUL beside the first letter, which is a B. */
function utf16By([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : undefined;
}

/** The charset parameter, as the Encoding Standard calls it; undefined where it names none that is known. */
function declaredCharset(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  if (label === undefined || /^(us-)?ascii$/i.test(label)) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

async function* transcode(bytes: AsyncIterable<Uint8Array>, charset: string, feed: Feed): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(charset, { fatal: true });
  for await (const chunk of bytes) {
    const text = tryDecode(decoder, chunk, true);
    if (text === undefined) throw new CodedError('FF_FEED_CHARSET', `${feed.location} is not valid ${charset}.`);
    yield Buffer.from(text);
  }
}

async function* resume(start: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

function tryDecode(decoder: TextDecoder, bytes: Uint8Array, stream = false): string | undefined {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    return undefined;
  }
}
