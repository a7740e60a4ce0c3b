import { CodedError } from '../../core/errors.ts';
import { peekBytes } from '../../core/peek.ts';

/** Number of bytes that show the format. A file that starts with more white space than this is not a feed. */
const SNIFF_BYTES = 4096;

/**
 * Passes the bytes of a feed through, unless they start like something else.
 * @throws CodedError FF_FEED_FORMAT for white space only, a web page (unless `acceptsHtml`), a PDF, or a document of Office
 */
export async function* refuseNonFeeds(
  bytes: AsyncIterable<Uint8Array>,
  location: string,
  { acceptsHtml = false }: { acceptsHtml?: boolean } = {},
): AsyncGenerator<Uint8Array> {
  const { first, all } = await peekBytes(bytes, SNIFF_BYTES);
  const problem = nonFeed(first, acceptsHtml);
  if (problem !== undefined) {
    await all.return(undefined);
    throw new CodedError('FF_FEED_FORMAT', `${location} ${problem}.`);
  }
  yield* all;
}

/** A comment ends at the first "-->", so that each start can be read in one way only. */
const webPage = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!doctype\s+html|html|head|body|script)\b/i;

function nonFeed(first: Uint8Array, acceptsHtml: boolean): string | undefined {
  // Read as Latin-1 without NULs, the ASCII characters of UTF-8 and UTF-16 look the same.
  const start = Buffer.from(first)
    .toString('latin1')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
  const text = start.trimStart();
  if (text === '') return first.length === 0 ? 'is empty' : 'is blank';
  if (!acceptsHtml && webPage.test(text)) {
    const isWall = /cookie|consent|captcha|just a moment/i.test(text);
    return `looks like a web page, perhaps a ${isWall ? 'page about cookies or for people only' : 'login or error page'}`;
  }
  if (text.startsWith('%PDF-')) return 'is a PDF document';
  if (text.startsWith('\xd0\xcf\x11\xe0')) return 'is an old document of Office (.xls), or protected by a password';
  return undefined;
}
