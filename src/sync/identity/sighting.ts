import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import { plainText } from '../../core/html/html-text.ts';
import type { Resource } from '../../core/record.ts';
import { wordsIn } from '../../core/text/search-terms.ts';
import { externalIdOn } from '../items/external-id.ts';
import { matchKey, valueAt } from '../items/values.ts';
import type { Trait } from './trait-index.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** The attributes that identify an item without an external id. */
export const identifying = {
  events: ['title', 'date', 'time.start'],
  accounts: ['email', 'username'],
} as const satisfies Record<Resource, readonly string[]>;

/** Shorter titles that begin alike say little about each other. */
export const SHORTEST_CUT = 16;

/** What identifies an item, without what a CMS is known to rewrite: entities, quotes, dashes, blanks, case, forms of times. */
export interface Sighting {
  externalId?: string;
  /** Letters and digits of the title of an event; absent for accounts. */
  title?: string;
  /** ISO date */
  day?: string;
  /** HH:MM */
  start?: string;
  email?: string;
  username?: string;
}

/**
 * Returns what identifies an item of the CMS, or the item that a payload would become.
 * @param externalId layout key of the attribute that carries external ids, if there is one
 */
export function sightingOf(attributes: Attributes, resource: Resource, externalId?: string): Sighting {
  const shown = { externalId: externalIdOn(attributes, externalId) };
  if (resource === 'accounts') {
    const [email, username] = identifying.accounts.map((name) => matchKey([name], attributes));
    return { ...shown, email, username };
  }
  const [title = '', date = '', start = ''] = identifying.events.map((path) => {
    const value = valueAt(attributes, path);
    return typeof value === 'string' ? value : '';
  });
  // A title may consist of signs alone.
  return {
    ...shown,
    title: wordsIn(plainText(title)).join('') || title.trim(),
    day: dayOf(date),
    start: timeOf(start),
  };
}

/** The traits of an item. An external id that it shows decides alone. */
export function itemTraits({ externalId, title, day, email, username }: Sighting): Trait[] {
  if (externalId !== undefined) return [`id ${externalId.toLowerCase()}`];
  if (title) return [`${day} ${title.slice(0, SHORTEST_CUT)}`];
  return Object.entries({ email, username }).flatMap(([name, value]) => (value ? [`${name} ${value}`] : []));
}

/**
 * The traits of all items that are `rewritten` at least: each of them has one of these.
 * @param longest length of the longest external id that the CMS shows
 */
export function traitsOfRewritten(externalIds: readonly string[], looks: readonly Sighting[], longest: number) {
  const spelled = externalIds.flatMap((id) => [{ externalId: id }, { externalId: id.slice(0, longest) }]);
  const moved = looks.flatMap((look) => {
    const days = look.day === undefined ? [] : [-1, 0, 1].map((by) => addDays(look.day ?? '', by));
    return [...days, undefined].map((day) => ({ ...look, day }));
  });
  return new Set([...spelled, ...moved].flatMap(itemTraits));
}

/** A CMS may show a day with a time. */
function dayOf(text: string): string | undefined {
  const day = text.slice(0, 10);
  return isIsoDate(day) ? day : undefined;
}

function timeOf(text: string): string | undefined {
  const [, hours, minutes, half] = /^(\d{1,2}):(\d\d)(?::\d\d)? ?([ap])?\.?(?:m\.?)?$/i.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
