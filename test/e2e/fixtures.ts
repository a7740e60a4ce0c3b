import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPlanInput } from '../support/cms/faults.ts';
import type { Site } from './site.ts';

type FaultInput = NonNullable<FaultPlanInput['faults']>[number];

const COLUMNS = 'id,title,date,start';
const MAP = 'title: title, date: date, time.start: start';

interface SyncParts {
  name?: string;
  source?: string;
  key?: string;
  map?: string;
}

/** Three talks with the columns of `writeTalks`. */
export const threeTalks = ['T1,Maps,2027-03-01,18:00', 'T2,Ships,2027-03-02,10:00', 'T3,Tides,2027-03-03,10:00'];

/**
 * Writes a sync of events, by default one that reads the feed of `writeTalks`.
 * @param more further lines of the sync file
 */
export function writeTalksSync(site: Site, more = '', parts: SyncParts = {}): void {
  const { name = 'talks', source = `connector: csv, url: ./feeds/${name}.csv`, key = 'id', map = MAP } = parts;
  writeSync(site, 'events', { name, source, key, map }, more);
}

/** Writes a sync of accounts, by default one that reads the feed of `writePeople`. */
export function writePeopleSync(site: Site, more = '', parts: SyncParts = {}): void {
  const { name = 'people', source = `connector: json, url: ./feeds/${name}.json` } = parts;
  const { key = 'email', map = 'email: email, username: login' } = parts;
  writeSync(site, 'accounts', { name, source, key, map }, more);
}

/** A few records may all change in the same way: tests need no larger feeds. */
const CHANGES = 'changes: { threshold: { atLeast: 20 }, emptied: { atLeast: 5 } }\n';

function writeSync(site: Site, resource: string, parts: Required<SyncParts>, more: string): void {
  const { name, source, key, map } = parts;
  const changes = /^changes:/m.test(more) ? '' : CHANGES;
  site.write(
    `syncs/${name}.yaml`,
    `resource: ${resource}
source: { ${source} }
key: ${key}
map: { ${map} }
${changes}${more}
`,
  );
}

/** Writes a CSV feed of talks. */
export function writeTalks(site: Site, rows: readonly string[], { name = 'talks', columns = COLUMNS } = {}): void {
  writeCsv(site, name, columns, rows);
}

/** Writes the JSON feed of the people. */
export function writePeople(site: Site, ...people: object[]): void {
  site.write('syncs/feeds/people.json', JSON.stringify(people));
}

export function writeCsv(site: Site, name: string, columns: string, rows: readonly string[]): void {
  site.write(`syncs/feeds/${name}.csv`, `${[columns, ...rows].join('\n')}\n`);
}

/** Rows of three talks; the first talk has a text and a picture, `feeds/a.png`. */
export const illustratedTalks = (text = '') => [
  `T1,Maps,2027-03-01,18:00,${text},a.png`,
  'T2,Ships,2027-03-02,10:00,,',
  'T3,Tides,2027-03-03,10:00,,',
];

/** Writes a sync of talks with texts and pictures. */
export function writeIllustratedSync(site: Site, more = ''): void {
  writeTalksSync(site, `attachments: { image: image }\n${more}`, { map: `${MAP}, description: text` });
}

/** Writes the feed of talks with texts and pictures. */
export function writeIllustratedTalks(site: Site, ...rows: string[]): void {
  writeTalks(site, rows, { columns: `${COLUMNS},text,image` });
}

/**
 * Sets the faults of the sandbox, and removes all others: requests that these hold are served. With requests on hold, a test may
 * take as long as it takes for what it does during a run.
 * @returns a function that waits until the faults have struck this many requests
 */
export async function setFaults(site: Site, ...faults: object[]): Promise<(count?: number) => Promise<void>> {
  // The sandbox refuses other objects.
  site.sandbox.setFaults({ faults: faults as FaultInput[] });
  site.writes();
  const { struck } = site.sandbox.stats();
  return async (count = 1) => {
    while (site.sandbox.stats().struck < struck + count) await sleep(5);
  };
}

/** Delays each response of the sandbox by `ms`. */
export async function setLatency(site: Site, ms: number): Promise<void> {
  await setFaults(site, { kind: 'latency', ms });
}
