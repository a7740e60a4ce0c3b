import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeEventSync, writeEvents } from './event-sync.ts';

/** The sync that has run; the others are copies of it. */
export const FIRST = 'events';
/** Of the feeds of the others, which are only read if such a sync runs. */
const RECORDS_OF_COPY = 10;

/** Benches change all records at once. */
const LIMITS = 'changes: { threshold: false, core: false }\n';

/** Name of the nth copy. The SQL that copies the rows names them in the same way. */
export function copyName(nth: number): string {
  return `${FIRST}-${nth}`;
}

/** Writes a config of so many syncs, with schedules and alerts, and answers the path of the feed of the first. */
export function writeManySyncs(configDir: string, syncs: number): string {
  const feed = writeEventSync(configDir);
  const target = join(configDir, 'feedferry.yaml');
  appendFileSync(target, `alerts: { on: [failed, stale], webhook: { url: "\${CMS_BASE_URL}/alerts" } }\n`);
  const folder = join(configDir, 'syncs');
  const sync = `${readFileSync(join(folder, `${FIRST}.yaml`), 'utf8')}schedule: { every: 1d }\n${LIMITS}`;
  writeFileSync(join(folder, `${FIRST}.yaml`), sync);
  for (let nth = 1; nth < syncs; nth += 1) {
    const file = `${copyName(nth)}.csv`;
    writeFileSync(join(folder, `${copyName(nth)}.yaml`), sync.replace('events.csv', file));
    writeEvents(join(folder, file), RECORDS_OF_COPY);
  }
  return feed;
}
