import { CodedError } from '../../core/errors.ts';

const linkTag = /<(?:link|a)\b[^<>]*>/gi;
const href = /\bhref=["']?([^"'\s<>]+)/i;
/** The type of a link to the same content in another format. */
const alternateType = /\btype=["']?(?:text\/calendar|application\/(?:feed\+)?json)\b/i;
const feedAddress = /^webcal:|\.(?:ics|csv)$/i;

/** Returns the error for a web page without machine-readable events. It names the feed to which the page links, if any. */
export function pageError(page: string, location: string): CodedError {
  const link = feedLink(page);
  const address = link === undefined ? undefined : resolved(link.replaceAll('&amp;', '&'), location);
  const remedy = address
    ? `The page links to a feed. Try: feedferry init ${quoted(address)}`
    : 'Look on the page for an iCal (.ics), JSON or CSV link, often named "Subscribe" or "Export", and give its address.';
  return new CodedError('FF_FEED_FORMAT', `${location} is a web page without schema.org events.`, { remedy });
}

/** The address of the feed to which a page links. */
function feedLink(page: string): string | undefined {
  const links = [...page.matchAll(linkTag)].flatMap(([tag]) => {
    const address = href.exec(tag)?.[1];
    return address === undefined ? [] : [{ tag, address }];
  });
  const alternate = links.find(({ tag }) => alternateType.test(tag));
  const found = alternate ?? links.find(({ address }) => feedAddress.test(address.split('?', 1)[0] ?? ''));
  return found?.address;
}

function resolved(link: string, location: string): string {
  return URL.parse(link, location)?.href ?? link;
}

function quoted(address: string): string {
  return `'${address.replace(/[\p{Cc}']/gu, encodeURIComponent)}'`;
}
