import { CodedError } from '../../core/errors.ts';
import { peek } from './peek.ts';

/** Enough to see what a feed is; a feed that starts with more blanks than this is not one. */
const SNIFF_BYTES = 4096;

/**
 * Passes the bytes of a feed on, unless their start shows that they are no feed.
 * @throws CodedError FF_FEED_FORMAT when there is nothing but blanks, or a web page (unless those are welcome) or a PDF.
 */
export async function* refuseNonFeeds(
  bytes: AsyncIterable<Uint8Array>,
  location: string,
  { acceptsHtml = false }: { acceptsHtml?: boolean } = {},
): AsyncGenerator<Uint8Array> {
  const { first, all } = await peek(bytes, SNIFF_BYTES);
  const problem = nonFeed(first, acceptsHtml);
  if (problem !== undefined) {
    await all.return(undefined);
    throw new CodedError('FF_FEED_FORMAT', `${location} ${problem}.`);
  }
  yield* all;
}

function nonFeed(first: Uint8Array, acceptsHtml: boolean): string | undefined {
  // Latin-1 without NULs shows the ASCII of UTF-8 and UTF-16 alike.
  const start = Buffer.from(first)
    .toString('latin1')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
  const text = start.trimStart();
  if (text === '') return first.length === 0 ? 'is empty' : 'is blank';
  if (!acceptsHtml && /^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|script)\b/is.test(text)) {
    return 'looks like a web page (a login or error page?)';
  }
  if (text.startsWith('%PDF-')) return 'is a PDF document';
  return undefined;
}
