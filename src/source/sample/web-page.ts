import { CodedError } from '../../core/errors.ts';

const linkTag = /<(?:link|a)\b[^<>]*>/gi;
const href = /\bhref=["']?([^"'\s<>]+)/i;
/** What a link that stands for the page in another format says. */
const alternateType = /\btype=["']?(?:text\/calendar|application\/(?:feed\+)?json)\b/i;
const feedAddress = /^webcal:|\.(?:ics|csv)$/i;

/** Returns the error for a web page without events that say what they are; it names the feed that the page links to. */
export function pageError(page: string, location: string): CodedError {
  const link = feedLink(page);
  const address = link === undefined ? undefined : resolved(link.replaceAll('&amp;', '&'), location);
  const remedy = address
    ? `The page links to a feed. Try: feedferry init ${quoted(address)}`
    : 'Look on the page for an iCal (.ics), JSON or CSV link, often named "Subscribe" or "Export", and give its address.';
  return new CodedError('FF_FEED_FORMAT', `${location} is a web page without schema.org events.`, { remedy });
}

/** The address of the feed that a page links to. */
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
