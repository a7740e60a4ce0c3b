import { basename } from 'node:path';

const LONGEST = 50;

/** Parts of addresses and file names that are too common to identify a feed. */
const general =
  /^(www\d?|api|apps?|basic|cal|calendars?|csv|data|default|download|events?|export|feeds?|full|ical|icalendar|ical_subscribe|ics|index|json|list|public|publish(ed)?|query|rest|rss|search|v\d+|webcal|all|[a-z]{1,2})$/;
const longNumber = /\d{4}/;

/**
 * Returns a name for the sync of a feed: the name of its file, or the part of its address that identifies the feed.
 * @param location absolute path or address of the feed, or `-`
 * @param fallback the name if no part identifies the feed
 */
export function syncNameOf(location: string, fallback: string): string {
  const url = /^(https?|webcals?):/i.test(location) ? URL.parse(location.replace(/^webcals?:/i, 'https:')) : null;
  if (url === null) return location === '-' ? fallback : slug(withoutExtension(basename(location))) || fallback;
  const isAddress = /^[\d.]+$|:|^localhost$/.test(url.hostname);
  // The first label of the host that is not too common is the name of the organisation.
  const hosts = isAddress ? [] : url.hostname.split('.').slice(0, -1);
  const parts = [withoutExtension(url.pathname.split('/').at(-1) ?? ''), ...hosts].map(slug);
  return parts.find((part) => part !== '' && !general.test(part) && !longNumber.test(part)) ?? fallback;
}

function withoutExtension(name: string): string {
  return name.replace(/(\.[a-z]{2,8})?(\.(gz|zip))?$/i, '');
}

/** Turns a text into the name of a sync: letters, digits, "-", "_" and ".". */
function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/%[0-9a-f]{2}|[^a-z0-9_.-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, LONGEST)
    .replace(/^[-._]+/, '')
    .replace(/(?<![-._])[-._]+$/, '');
}
