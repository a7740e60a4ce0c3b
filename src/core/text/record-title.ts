import { isObject, type Resource, UNKNOWN } from '../record.ts';
import { namesPlace, textsIn } from './place-names.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** Longer places are shortened: a place may be a whole address. */
const LONGEST_PLACE = 60;

/**
 * Returns the title by which people know a record: the name and e-mail address of a person; the title, day, time and place of an
 * event. Empty if the record has none of these.
 */
export function recordTitle(attributes: Attributes, resource: Resource): string {
  const parts = resource === 'accounts' ? personParts(attributes) : eventParts(attributes);
  return [...new Set(parts)].filter(Boolean).join(', ');
}

/** Returns how people refer to a record in a sentence: its title, and its key unless the title has it. */
export function nameWithKey({ title = '', key }: { title?: string; key: string }): string {
  if (title === '' || title.includes(key)) return title || key;
  return `${title} (${key})`;
}

/** So many records are named in a sentence. */
const NAMED = 5;

/** Says of each reason which records have it: "cancelled in the feed, still on the site: Concert (7), Lecture (8) and 3 more". */
export function namesByReason(records: ReadonlyArray<{ reason: string; title?: string; key: string }>): string[] {
  return [...Map.groupBy(records, ({ reason }) => reason)].map(([reason, some]) => {
    const more = some.length > NAMED ? ` and ${some.length - NAMED} more` : '';
    return `${reason}: ${some.slice(0, NAMED).map(nameWithKey).join('; ')}${more}`;
  });
}

function personParts(attributes: Attributes): string[] {
  const [display, first, last, username, email] = ['displayName', 'firstName', 'lastName', 'username', 'email'].map(
    (name) => oneLine(attributes[name]),
  ) as [string, string, string, string, string];
  return [display || [first, last].filter(Boolean).join(' ') || username, email];
}

function eventParts(attributes: Attributes): string[] {
  const day = oneLine(attributes.date).slice(0, 10);
  return [oneLine(attributes.title), [day, startOf(attributes.time)].filter(Boolean).join(' '), placeOf(attributes)];
}

/** Returns when an event starts, as HH:MM; empty for events of whole days, which are delivered from midnight to the last second. */
export function startOf(time: unknown): string {
  if (!isObject(time)) return '';
  const [start, end] = [oneLine(time.start), oneLine(time.end)];
  return start.startsWith('00:00') && (end === '' || end.startsWith('23:59')) ? '' : start.slice(0, 5);
}

/** Returns the place of an event, shortened; empty if it names none. */
export function placeOf(attributes: Attributes): string {
  const [place = ''] = Object.entries(attributes)
    .filter(([name]) => namesPlace(name))
    .flatMap(([, value]) => textsIn(value).map(oneLine).filter(Boolean));
  return place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE).trimEnd()}…` : place;
}

/** Returns a text in one line; empty if the value is none, or unknown. */
export function oneLine(value: unknown): string {
  return typeof value === 'string' && value !== UNKNOWN ? value.replace(/\s+/g, ' ').trim() : '';
}
