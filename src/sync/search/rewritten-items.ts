import type { CmsItem } from '../../cms/client.ts';
import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import type { Payload } from '../../core/record.ts';
import { externalIdOn } from '../items/external-id.ts';
import { valueAt } from '../items/values.ts';

/** Shorter titles that begin alike say little about each other. */
const SHORTEST_CUT = 16;

/** The identity of an item, without what a CMS is known to rewrite: entities, quotes, dashes, blanks, case, forms of times. */
export interface Sighting {
  externalId?: string;
  /** Letters and digits of the title. */
  title: string;
  date?: string;
  /** HH:MM */
  start?: string;
}

/** @param externalId layout key of the attribute that carries external ids, if there is one */
export function sightingOf(item: CmsItem | Payload, externalId?: string): Sighting {
  const text = (attribute: string) => {
    const value = valueAt(item, attribute);
    return typeof value === 'string' ? value : '';
  };
  return {
    externalId: externalIdOn(item as CmsItem, externalId),
    title: lettersOf(text('title')),
    date: dayOf(text('date')),
    start: timeOf(text('time.start')),
  };
}

/**
 * The items that a create of this payload may have become in a CMS that rewrites it. `same`: only the spelling differs;
 * `similar`: the external id is truncated or in another case, the title is truncated, or the day has moved by one.
 */
export function rewrittenItems(sightings: ReadonlyMap<number, Sighting>, externalId: string, payload: Payload) {
  const wanted = sightingOf(payload);
  const shown = [...sightings.values()].flatMap((sighting) => sighting.externalId?.length ?? []);
  const longest = shown.reduce((most, length) => Math.max(most, length), 0);
  const items = [...sightings].map(([id, sighting]) => ({ id, likeness: likenessOf(sighting) }));
  const idsOf = (likeness: 'same' | 'similar') =>
    items.filter((item) => item.likeness === likeness).map(({ id }) => id);
  return { same: idsOf('same'), similar: idsOf('similar') };

  function likenessOf(sighting: Sighting): 'same' | 'similar' | undefined {
    if (sighting.externalId !== undefined) return isRewrittenId(sighting.externalId) ? 'similar' : undefined;
    const { title, date, start } = sighting;
    // The title of an account, which has no day, is a job.
    if (wanted.date === undefined) return undefined;
    if (title === '' || wanted.title === '' || (start && wanted.start && start !== wanted.start)) return undefined;
    if (title === wanted.title && date === wanted.date) return 'same';
    const isCut = title.length >= SHORTEST_CUT && wanted.title.startsWith(title);
    const isNear = date === undefined || wanted.date === undefined || isWithinADay(date, wanted.date);
    return (title === wanted.title || isCut) && isNear ? 'similar' : undefined;
  }

  /** Whether an id is the external id as the CMS rewrites it. A truncated id is as long as the longest that the CMS shows. */
  function isRewrittenId(id: string): boolean {
    if (id === externalId) return false;
    const isCut = id.length === longest && id.length < externalId.length;
    return (isCut ? externalId.slice(0, id.length) : externalId).toLowerCase() === id.toLowerCase();
  }
}

/** Whether two ISO dates are the same day or neighbours. */
export function isWithinADay(date: string, other: string): boolean {
  return [-1, 0, 1].some((days) => addDays(other, days) === date);
}

/** A CMS may show a day with a time. */
function dayOf(text: string): string | undefined {
  const day = text.slice(0, 10);
  return isIsoDate(day) ? day : undefined;
}

function lettersOf(text: string): string {
  const plain = text.replace(/&(?:#\w{1,8}|[a-z]{2,8});|<[^<>]{0,200}>/gi, ' ');
  return plain
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function timeOf(text: string): string | undefined {
  const [, hours, minutes, half] = /^(\d{1,2}):(\d\d)(?::\d\d)? ?([ap])?\.?(?:m\.?)?$/i.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
