import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Requests in flight, unless something else is measured. */
export const CONCURRENCY = 32;

/** Writes a config folder with one sync of events from a CSV file, and answers the path of that file. */
export function writeEventSync(
  configDir: string,
  { inFlight = CONCURRENCY, requestsPerSecond }: { inFlight?: number; requestsPerSecond?: number } = {},
): string {
  mkdirSync(join(configDir, 'syncs'), { recursive: true });
  writeFileSync(
    join(configDir, 'feedferry.yaml'),
    `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: Europe/Berlin
  externalId: source
  concurrency: ${inFlight}
${requestsPerSecond === undefined ? '' : `  requestsPerSecond: ${requestsPerSecond}\n`}`,
  );
  writeFileSync(
    join(configDir, 'syncs', 'events.yaml'),
    `resource: events
source: { connector: csv, url: ./events.csv }
key: id
map: { title: title, date: date, endDate: date, time.start: start, time.end: end, description: text, location: room }
`,
  );
  return join(configDir, 'syncs', 'events.csv');
}

/** Writes the feed; `changedEvery` 100: the title of every hundredth record differs from what it is otherwise. */
export function writeEvents(file: string, records: number, changedEvery?: number): void {
  const rows = Array.from({ length: records }, (_, index) => {
    const changed = changedEvery !== undefined && index % changedEvery === 0 ? ' (changed)' : '';
    const day = String(1 + (index % 28)).padStart(2, '0');
    return `${index},"Event ${index}${changed}",2027-05-${day},10:00,11:30,Room ${index % 90},"${textOf(index)}"`;
  });
  writeFileSync(file, ['id,title,date,start,end,room,text', ...rows, ''].join('\n'));
}

/** A description of some 300 characters, as calendars have it. */
function textOf(index: number): string {
  const link = `<a href=""https://example.org/events/${index}"">Read more</a>`;
  return `<p>Number ${index} is an evening of talk, music &amp; food for all.</p><ul><li>Doors open at nine</li><li>${link}</li></ul><p>Bring your family; registration opens one week before.</p>`;
}
