import { Parser } from 'htmlparser2';
import { CodedError } from '../../core/errors.ts';

const LONGEST_TEXT = 2_000_000;
const LONGEST_ADDRESS = 2000;
const MOST_ADDRESSES = 3000;
/** So many links that differ only in numbers lead to single events. */
const MOST_ALIKE = 3;

/** What a web page shows of feeds. */
export interface WebPage {
  /** The beginning of its source. */
  text: string;
  /** What it embeds or loads, in its order. */
  parts: readonly string[];
  /** What it links. */
  links: readonly string[];
  /** What looks like a feed: first what the page announces as its own. */
  feeds: readonly string[];
}

const feedType = /^(text\/calendar|text\/csv|application\/(feed\+)?json)\b(?!\+)/i;
/** Few of these have events, so they are the last. */
const newsType = /^application\/(rss|atom)\+xml\b/i;
/** Addresses in scripts and data, in which slashes may have an escape. */
const anyAddress = /https?:\\?\/\\?\/[^\s"'<>]{1,1000}/gi;
/** Descriptions of the page itself, which content management systems announce. */
const notFeed = /\/wp-json\/(wp|oembed)\/|oembed/i;
const calendarName = /\.(ics|ical|csv|xlsx)$|(?<![a-z])(ics|ical|icalendar)(?![a-z])/i;

/**
 * Reads the addresses in a web page.
 * @param location of the page; what is relative to a file is left out
 */
export function readWebPage(html: string, location: string): WebPage {
  const text = html.slice(0, LONGEST_TEXT);
  const [parts, links] = [new Set<string>(), new Set<string>()];
  const announced = new Set<string>();
  const news = new Set<string>();
  const linked = new Set<string>();
  let base = location;
  const parser = new Parser({
    onopentag(name, { href, src, data, rel = '', type = '', ...others }) {
      if (name === 'base' && href !== undefined) base = URL.parse(href, location)?.href ?? base;
      // Scripts set the address of a frame when it is seen, or when the visitor agrees.
      const later = Object.values(others).filter((value) => /^(?:https?:)?\/\//i.test(value));
      for (const written of [href, src, data, ...later]) {
        const address = written === undefined ? undefined : resolved(written, base);
        if (address === undefined || parts.size + links.size >= MOST_ADDRESSES) continue;
        const isLink = name === 'a' || name === 'area';
        (isLink ? links : parts).add(address);
        const isFeed = !notFeed.test(address);
        const isAnnounced = isFeed && /\balternate\b/i.test(rel);
        if (isAnnounced && feedType.test(type)) announced.add(address);
        else if (isAnnounced && newsType.test(type)) news.add(address);
        else if (isFeed && isLink && looksLikeFeed(written ?? '', address)) linked.add(address);
      }
    },
  });
  parser.end(text);
  for (const [written] of text.matchAll(anyAddress)) {
    const address = resolved(written.replaceAll('\\/', '/').replaceAll(/\\u0026|&amp;/g, '&'), base);
    if (address !== undefined && links.size < MOST_ADDRESSES && !parts.has(address)) links.add(address);
  }
  const feeds = [...announced, ...withoutSingleEvents([...linked]), ...news];
  return { text, parts: [...parts], links: [...links], feeds };
}

function resolved(written: string, base: string): string | undefined {
  if (written.length > LONGEST_ADDRESS) return undefined;
  const address = written.trim().replace(/^webcals?:/i, 'https:');
  // The page may be a file, whose path is no base.
  const url = URL.parse(address) ?? URL.parse(address, base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.hash = '';
  // In a sync file, this would be a variable.
  return url.href.replaceAll('${', '$%7B');
}

function looksLikeFeed(written: string, address: string): boolean {
  const { pathname, search } = new URL(address);
  return (
    /^webcals?:/i.test(written.trim()) ||
    /\.json$/i.test(pathname) ||
    [pathname, search].some((part) => calendarName.test(part))
  );
}

function withoutSingleEvents(addresses: readonly string[]): string[] {
  const alike = Map.groupBy(addresses, (address) => address.replaceAll(/\d+/g, '#'));
  return [...alike.values()].flatMap((group) => (group.length > MOST_ALIKE ? [] : group));
}

/**
 * Returns the error for a web page without machine-readable events.
 * @param named feeds that it links, but that were not tried
 * @param tried why other addresses are not feeds
 * @param advice what to ask the owner of the page for, if its system is known
 */
export function pageError(
  location: string,
  named: readonly string[],
  tried: readonly string[] = [],
  advice: readonly string[] = [],
): CodedError {
  const [first] = named;
  const usual =
    'Look on the page for an iCal (.ics), JSON or CSV link, often named "Subscribe" or "Export", or ask its owner for the address of one.';
  const linked = first && `The page links to a feed. Try: feedferry init ${quoted(first)}`;
  const message = [
    `${location} is a web page without a feed: it has no schema.org events, and no link to a calendar that can be read.`,
    ...(tried.length > 0 ? ['Tried:'] : []),
    ...tried,
  ];
  return new CodedError('FF_FEED_FORMAT', message.join(' '), { remedy: advice[0] ?? linked ?? usual });
}

function quoted(address: string): string {
  return `'${address.replace(/[\p{Cc}']/gu, encodeURIComponent)}'`;
}
