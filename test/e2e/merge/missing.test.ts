import { expect, test } from 'vitest';
import type { Site } from '../site.ts';
import { itemsOf, openCampus, type Row, writeCalendar } from './two-calendars.ts';

/** Events of a source may be missing for two runs, and all at once, unless the source has a rule of its own. */
function writeRules(site: Site, ofCentral: string): void {
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
  central: { connector: csv, url: ./feeds/central.csv, missing: ${ofCentral} }
  music: { connector: csv, url: ./feeds/music.csv }
key: id
map: { title: title, date: date, time.start: start, location: hall, description: text }
missing: { policy: delete, after: 2 runs, threshold: { percent: 100 } }
`,
  );
}

const fair = (key: string, text: string): Row => [key, 'Spring Fair', '2031-04-10', '10:00', 'Yard', text];
const MAPS: Row = ['2', 'Old Maps', '2031-03-02', '18:00', 'Library', ''];

async function openFair(ofCentral: string): Promise<Site> {
  const site = await openCampus();
  writeRules(site, ofCentral);
  writeCalendar(site, 'central', [MAPS, fair('1', 'Central')]);
  writeCalendar(site, 'music', [fair('7', 'Music')]);
  await site.sync();
  writeCalendar(site, 'central', [MAPS]);
  return site;
}

const texts = async (site: Site) => (await itemsOf(site)).map((item) => (item as { description: string }).description);

test('A source has its own rule for how long its events may be missing', async () => {
  await using site = await openFair('{ policy: delete, after: 1 run, threshold: { percent: 100 } }');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
  expect(await texts(site)).toEqual(['', 'Music']);
  // The other source has the rule of the sync.
  writeCalendar(site, 'music', [['8', 'Choir', '2031-05-01', '20:00', 'Club', '']]);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 0 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
});

test('A source that keeps its events gives up none', async () => {
  await using site = await openFair('{ policy: keep }');
  for (let run = 0; run < 3; run += 1) await site.sync();
  expect(await texts(site)).toEqual(['', 'Central']);
  // Nor does an event go that only this source had.
  writeCalendar(site, 'central', [['3', 'Choir', '2031-05-01', '20:00', 'Club', 'New']]);
  for (let run = 0; run < 3; run += 1) expect(await site.sync()).toMatchObject([{ counts: { deleted: 0 } }]);
  expect(await texts(site)).toEqual(['New', '', 'Central']);
});

test('A source that loses more than its own threshold holds the run', async () => {
  await using site = await openFair('{ policy: delete, after: 1 run, threshold: { percent: 10 } }');
  expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_GUARD_MISSING' } }]);
  expect(await texts(site)).toEqual(['', 'Central']);
});
