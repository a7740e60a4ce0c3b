import { TextDecoder } from 'node:util';
import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { unfoldLines } from './bytes.ts';

/** One content line as text. */
export interface TextLine {
  number: number;
  text: string;
  tooLong: boolean;
}

/**
 * The content lines of a calendar. Unfolding comes before decoding, so this settles the charset itself: byte order mark,
 * the user's label, the declared charset, and else UTF-8, the charset of RFC 5545; a line that is not UTF-8 is read as
 * windows-1252, with a warning. NULs are left out.
 * @throws CodedError FF_FEED_CHARSET where the charset named does not fit.
 */
export async function* readTextLines(
  feed: Feed,
  encoding: string | undefined,
  context: ReadContext,
): AsyncGenerator<TextLine> {
  const { charset, bytes } = await settleCharset(feed, encoding);
  const decoder = new TextDecoder(charset, { fatal: true });
  const declared = encoding ?? declaredCharset(feed.contentType);
  let odd = 0;
  for await (const line of unfoldLines(bytes)) {
    let text = tryDecode(decoder, line.bytes);
    if (text === undefined) {
      if (encoding !== undefined && charset === encoding) throw undecodable(feed, encoding, line.number);
      text = new TextDecoder('windows-1252').decode(line.bytes);
      if (odd++ === 0) {
        const message = `is not ${declared ?? 'UTF-8'}; it and others like it are read as windows-1252 (set source.encoding to change that)`;
        context.warn({ at: `line ${line.number}`, message });
      }
    }
    yield { number: line.number, text: text.includes('\0') ? text.replaceAll('\0', '') : text, tooLong: line.tooLong };
  }
}

async function settleCharset(feed: Feed, encoding: string | undefined) {
  const iterator = feed.bytes()[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  // The longest byte order mark has three bytes.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= 3) break;
  }
  const all = resume(start, iterator);
  const utf16 = utf16Label(start, encoding);
  // UTF-16 has line ends of two bytes: decoded first, it is UTF-8 for all that follows.
  if (utf16 !== undefined) return { charset: 'utf-8', bytes: transcode(all, utf16, feed) };
  const marked = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  const label = marked ? 'utf-8' : (encoding ?? declaredCharset(feed.contentType) ?? 'utf-8');
  return { charset: checkedLabel(label, feed, encoding !== undefined), bytes: all };
}

function utf16Label(start: Uint8Array, encoding: string | undefined): string | undefined {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  if (first === 0 && second !== 0) return 'utf-16be';
  return encoding !== undefined && /^utf-?16/i.test(encoding) ? encoding : undefined;
}

function checkedLabel(label: string, feed: Feed, isUsers: boolean): string {
  try {
    new TextDecoder(label);
    return label;
  } catch (cause) {
    if (!isUsers) return 'utf-8';
    throw new CodedError('FF_FEED_CHARSET', `${feed.location}: "${label}" is not a charset that feedferry knows.`, {
      cause,
    });
  }
}

function declaredCharset(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  return label === undefined || /^(us-)?ascii$/i.test(label) ? undefined : label;
}

async function* transcode(bytes: AsyncIterable<Uint8Array>, label: string, feed: Feed): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(checkedLabel(label, feed, true), { fatal: true });
  for await (const chunk of bytes) {
    const text = tryDecode(decoder, chunk, true);
    if (text === undefined) throw undecodable(feed, label);
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

function undecodable(feed: Feed, charset: string, line?: number): CodedError {
  const where = line === undefined ? '' : ` in line ${line}`;
  return new CodedError('FF_FEED_CHARSET', `${feed.location} is not valid ${charset}${where}.`);
}
