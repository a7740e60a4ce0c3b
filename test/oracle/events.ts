import fc from 'fast-check';
import type { Item, Site } from '../e2e/site.ts';
import { isLong, rounds } from '../support/long.ts';

/** An event as a feed has it. Times are those of the site's zone. */
export interface FeedEvent {
  key: string;
  title: string;
  date: string;
  start: string;
  place: string;
  text: string;
}

export type Format = 'csv' | 'json' | 'ical';

/** How a property is played: few histories that are always the same in `npm test`. `TEST_SEED=42` plays others. */
export function played(short: number, long: number): { numRuns: number; seed?: number } {
  const { TEST_SEED } = process.env;
  const seed = TEST_SEED === undefined ? (isLong ? {} : { seed: 27 }) : { seed: Number(TEST_SEED) };
  return { numRuns: rounds(short, long), ...seed };
}

const WORDS = ['Requiem', 'Cartography', 'Beekeeping', 'Jazz', 'Chess', 'Glaciers', 'Pottery', 'Volcanoes', 'Sonnets'];
const ADDITIONS = ['', ', part "two"', '; encore', ' \\ slash', ' – Übung', ' 🎻', " o'clock"];
const TEXTS = ['', 'One line.', 'Two lines,\nwith "quotes"; and \\ more', 'Grüße, 5 < 6 & 7'];
const HALLS = ['Main Hall', 'Library, 2nd floor', 'Aula "Süd"', ''];

const details = fc.record({
  addition: fc.constantFrom(...ADDITIONS),
  hour: fc.integer({ min: 7, max: 21 }),
  minute: fc.constantFrom('00', '30'),
  place: fc.constantFrom(...HALLS),
  text: fc.constantFrom(...TEXTS),
});

/** Events of which no two have a title or a day in common, so that nothing is a question. */
export function differentEvents(least = 2): fc.Arbitrary<FeedEvent[]> {
  return fc.array(details, { minLength: least, maxLength: WORDS.length }).map((all) =>
    all.map(({ addition, hour, minute, place, text }, index) => ({
      ...{ key: `k${index}`, title: `${WORDS[index]}${addition}`, date: `2031-03-${10 + 2 * index}`, place, text },
      start: `${String(hour).padStart(2, '0')}:${minute}`,
    })),
  );
}

/** Two readings: the first event of the first has another text in the second, and the last one is missing; one is new. */
export const twoReadings = fc
  .record({ events: differentEvents(3), changed: fc.array(details, { minLength: 9, maxLength: 9 }) })
  .map(({ events, changed }) => {
    const before = events.slice(0, -1);
    const kept = events.slice(1).map((event, index) => ({ ...event, text: changed[index]?.text ?? '' }));
    const [first] = events;
    const after = first ? [{ ...first, text: `${first.text} Sold out.` }, ...kept] : kept;
    const dropped = before[1]?.key;
    return { before, after: after.filter(({ key }) => key !== dropped) };
  });

/** Turns off the limits for changes: the feeds of these tests change as they like. */
export const anyChanges = 'changes: { threshold: false, core: false, emptied: false, garbled: false, churn: false }\n';
export const deleteAtOnce = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n';

/** Writes a sync of events. @param more further lines; by default nothing holds a run */
export function writeEventsSync(site: Site, format: Format, more = anyChanges, name = 'talks'): void {
  const file = { csv: 'feed.csv', json: 'feed.json', ical: 'feed.ics' }[format];
  const map =
    format === 'ical' ? '{ location: location }' : '{ title: title, start: start, location: place, description: text }';
  site.write(
    `syncs/${name}.yaml`,
    `resource: events
source: { connector: ${format}, url: ./${name}-${file}, timezone: America/New_York }
key: ${format === 'ical' ? 'uid' : 'id'}
map: ${map}
${more}`,
  );
}

export function writeFeed(site: Site, format: Format, events: readonly FeedEvent[], name = 'talks'): void {
  const write = { csv: toCsv, json: toJson, ical: toIcal }[format];
  const file = { csv: 'feed.csv', json: 'feed.json', ical: 'feed.ics' }[format];
  site.write(`syncs/${name}-${file}`, write(events));
}

export function toCsv(events: readonly FeedEvent[]): string {
  const rows = events.map(({ key, title, date, start, place, text }) =>
    [key, title, `${date}T${start}`, place, text].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
  );
  return `${['id,title,start,place,text', ...rows].join('\n')}\n`;
}

function toJson(events: readonly FeedEvent[]): string {
  return JSON.stringify(
    events.map(({ key, date, start, ...event }) => ({ ...event, id: key, start: `${date}T${start}` })),
  );
}

export function toIcal(events: readonly FeedEvent[]): string {
  const lines = events.flatMap(({ key, title, date, start, place, text }) => [
    'BEGIN:VEVENT',
    `UID:${key}`,
    'DTSTAMP:20300101T000000Z',
    `DTSTART;TZID=America/New_York:${date.replaceAll('-', '')}T${start.replace(':', '')}00`,
    `SUMMARY:${escaped(title)}`,
    ...(place === '' ? [] : [`LOCATION:${escaped(place)}`]),
    ...(text === '' ? [] : [`DESCRIPTION:${escaped(text)}`]),
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//oracle//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n');
}

/** Attributes that depend on the id, the clock or the name of the sync. */
const CIRCUMSTANTIAL = ['id', 'url', 'icalUrl', 'editUrl', 'links', 'source_key', 'isPastEvent', 'isToday'];

/** What visitors see of a site, in an order of its own. */
export async function contentOf(site: Site): Promise<object[]> {
  const items = await allItems(site, 'calendar/events');
  const seen = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !CIRCUMSTANTIAL.includes(name))),
  );
  return seen.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** All items of a resource, however long the pages of the CMS are. */
export async function allItems(site: Site, resource: 'calendar/events' | 'account/accounts'): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const next = await site.items(resource, `&page=${page}`);
    if (next.length === 0) return items;
    items.push(...next);
  }
}
