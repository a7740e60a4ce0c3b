import { expect, test } from 'vitest';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Site, simplest } from '../site.ts';
import { itemsOf, openCampus, type Row, writeCalendar } from './two-calendars.ts';

const CONCERT = (key: string, text: string, hall = 'Main Hall'): Row => [
  key,
  'Requiem',
  '2021-03-01',
  '19:00',
  hall,
  text,
];
const TALK = (key: string, text = ''): Row => [key, 'Old Maps', '2031-03-02', '18:00', 'Library', text];
const MORE = `window: { from: 2030-01-01 }
merge: { fill: { description: [music] } }
missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }
`;

interface Run {
  run: string;
}

const backfill = async (site: Site, ...days: string[]) =>
  (await runHere(['backfill', 'campus', ...days, '--json'], site.variables)).json<{ runs: Run[] }>().runs[0] as Run;
const questions = async (site: Site) =>
  (await runHere(['questions', 'campus', '--json'], site.variables)).json<{ questions: Array<{ id: string }> }>()
    .questions;

async function openYears(engines = simplest): Promise<Site> {
  const site = await openCampus({ engines, more: MORE });
  writeCalendar(site, 'central', [CONCERT('1', ''), TALK('2')]);
  writeCalendar(site, 'music', [CONCERT('7', 'With choir'), ['8', 'Jazz', '2021-06-01', '20:00', 'Club', '']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  return site;
}

test.each(either(0))('A backfill joins the records of several sources, and only adds, on $ledger', async (engines) => {
  await using site = await openYears(engines);
  expect(await backfill(site, '--to', '2021-12-31')).toMatchObject({
    status: 'success',
    counts: { created: 2, unchanged: 0, missing: 0, deleted: 0 },
  });
  const items = await itemsOf(site);
  expect(items).toMatchObject([
    { title: 'Jazz' },
    { title: 'Old Maps' },
    { title: 'Requiem', description: 'With choir' },
  ]);
  expect(await backfill(site, '--to', '2021-12-31')).toMatchObject({ status: 'success', counts: { unchanged: 2 } });
  // Later runs leave what is outside their window, also if the sources no longer have it.
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, deleted: 0 } }]);
  writeCalendar(site, 'music', [TALK('9')]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, missing: 0, deleted: 0 } }]);
  writeCalendar(site, 'central', [TALK('2')]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, missing: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toEqual(items);
});

test('A backfill does not delay what a run finds missing, nor hide what has changed since the last one', async () => {
  await using site = await openYears();
  writeCalendar(site, 'central', [TALK('2'), ['3', 'Fair', '2031-05-01', '10:00', 'Yard', '']]);
  await site.sync();
  writeCalendar(site, 'central', [TALK('2'), ['3', 'Fair', '2031-05-01', '10:00', 'Green', '']]);
  await backfill(site, '--to', '2021-12-31');
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 1 } }]);
  await backfill(site);
  writeCalendar(site, 'central', [TALK('2')]);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
});

test('A backfill asks, and acts on the answer when it is run again', async () => {
  await using site = await openYears();
  writeCalendar(site, 'music', [CONCERT('7', 'With choir', 'Great Hall')]);
  expect(await backfill(site, '--to', '2021-12-31')).toMatchObject({ status: 'success', counts: { created: 1 } });
  const [asked] = await questions(site);
  await runHere(['questions', 'campus', '--distinct', asked?.id ?? ''], site.variables);
  await site.sync();
  expect(await backfill(site, '--to', '2021-12-31')).toMatchObject({ counts: { created: 1, unchanged: 1 } });
});

test('The undo of a backfill that has joined a record stores that it is another event', async () => {
  await using site = await openYears();
  writeCalendar(site, 'music', []);
  await backfill(site, '--to', '2021-12-31');
  writeCalendar(site, 'music', [CONCERT('7', 'With choir')]);
  const joined = await backfill(site, '--to', '2021-12-31');
  expect(joined).toMatchObject({ counts: { updated: 1 } });
  await site.withContext((context) => undoRun(joined.run, context));
  expect(await backfill(site, '--to', '2021-12-31')).toMatchObject({ counts: { created: 1, unchanged: 1 } });
});

test('A source that cannot be read makes a backfill partial', async () => {
  await using site = await openYears();
  site.write('syncs/feeds/music.csv', 'no header of ours');
  expect(await backfill(site, '--to', '2021-12-31')).toMatchObject({ status: 'partial', counts: { created: 1 } });
});
