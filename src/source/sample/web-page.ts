import { CodedError } from '../../core/errors.ts';

/** Links of a page to other forms of its content. */
const feedLink =
  /<(?:link|a)\b[^>]*?\bhref\s*=\s*["']?((?:webcal:[^"'\s>]+)|(?:[^"'\s>]+\.(?:ics|csv)(?:\?[^"'\s>]*)?))["'\s>]/i;
const alternate = /<link\b(?=[^>]*\btype\s*=\s*["']?(?:text\/calendar|application\/(?:feed\+)?json)\b)[^>]*>/i;

/** Returns the error for a web page without events that say what they are; it names the feed that the page links to. */
export function pageError(page: string, location: string): CodedError {
  const link = alternateLink(page) ?? feedLink.exec(page)?.[1];
  const address = link === undefined ? undefined : resolved(link.replaceAll('&amp;', '&'), location);
  const remedy = address
    ? `The page links to a feed. Try: feedferry init ${quoted(address)}`
    : 'Look on the page for an iCal (.ics), JSON or CSV link, often named "Subscribe" or "Export", and give its address.';
  return new CodedError('FF_FEED_FORMAT', `${location} is a web page without schema.org events.`, { remedy });
}

function alternateLink(page: string): string | undefined {
  const [element = ''] = alternate.exec(page) ?? [];
  return /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(element)?.[1];
}

function resolved(link: string, location: string): string {
  return URL.parse(link, location)?.href ?? link;
}

function quoted(address: string): string {
  return `'${address.replace(/[\p{Cc}']/gu, encodeURIComponent)}'`;
}
