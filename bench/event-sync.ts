import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Requests in flight, for everything that is measured. */
export const CONCURRENCY = 32;

/** Writes a config folder with one sync of events from a CSV file, and answers the path of that file. */
export function writeEventSync(configDir: string): string {
  mkdirSync(join(configDir, 'syncs'), { recursive: true });
  writeFileSync(
    join(configDir, 'feedferry.yaml'),
    `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: Europe/Berlin
  concurrency: ${CONCURRENCY}
`,
  );
  writeFileSync(
    join(configDir, 'syncs', 'events.yaml'),
    `resource: events
source: { connector: csv, url: ./events.csv }
key: id
map:
  title: title
  date: date
  endDate: date
  time.start: start
  time.end: end
  description: { field: text, html: sanitize }
`,
  );
  return join(configDir, 'syncs', 'events.csv');
}

/** Writes the feed; `changedEvery` 10: the title of every tenth record differs from what it is otherwise. */
export function writeEvents(file: string, records: number, changedEvery?: number): void {
  const rows = Array.from({ length: records }, (_, index) => {
    const changed = changedEvery !== undefined && index % changedEvery === 0 ? ' (changed)' : '';
    const day = String(1 + (index % 28)).padStart(2, '0');
    return `${index},"Event ${index}${changed}",2027-05-${day},10:00,11:30,"<p>Number ${index}, with <b>words</b></p>"`;
  });
  writeFileSync(file, ['id,title,date,start,end,text', ...rows].join('\n'));
}
