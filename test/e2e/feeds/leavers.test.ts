import { describe, expect, test } from 'vitest';
import { approveRun } from '../../../src/sync/runs/approve-run.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { writeCsv, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const LEAVING = 'deleted: { field: status, is: [withdrawn, left] }';
const DELETE = 'missing: { policy: delete, threshold: { percent: 60 } }';

/** A sync of rows `id,title,status`. */
async function openTalks(source: string, more: string): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, more, {
    source: `connector: csv, url: ./feeds/talks.csv, ${source}`,
    map: 'title: title, date: { value: 2031-03-01 }, time.start: { value: "18:00" }',
  });
  return site;
}

function writeRows(site: Site, ...rows: string[]): void {
  writeTalks(site, rows, { columns: 'id,title,status' });
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();

describe('Records that the source deletes', () => {
  test('A record that has left is deleted at once, is undone like any other, and comes back', async () => {
    await using site = await openTalks(LEAVING, DELETE);
    writeRows(site, 'A,Maps,', 'B,Ships,', 'C,Tides,', 'D,Never,left');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 4, created: 3, skipped: 1 } }]);

    writeRows(site, 'A,Maps,', 'B,Ships,Left', 'C,Tides,', 'D,Never,left');
    const [leaving] = await site.sync();
    expect(leaving).toMatchObject({
      status: 'success',
      counts: { read: 4, unchanged: 2, skipped: 2, missing: 1, deleted: 1 },
    });
    expect(await titles(site)).toEqual(['Maps', 'Tides']);
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 0, missing: 0 } }]);

    await site.withContext((context) => undoRun(leaving?.run ?? '', context));
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
    writeRows(site, 'A,Maps,', 'B,Ships,withdrawn', 'C,Tides,');
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
    writeRows(site, 'A,Maps,', 'B,Ships again,', 'C,Tides,');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships again', 'Tides']);
  });

  test('A feed of changes creates, changes and deletes what it names, and nothing else', async () => {
    await using site = await openTalks(`partial: true, ${LEAVING}`, DELETE);
    writeRows(site, 'A,Maps,', 'B,Ships,', 'C,Tides,');
    await site.sync();
    writeRows(site, 'B,Boats,', 'C,Tides,left', 'D,Winds,');
    expect(await site.sync()).toMatchObject([
      { status: 'success', counts: { read: 3, created: 1, updated: 1, skipped: 1, missing: 1, deleted: 1 } },
    ]);
    writeRows(site);
    expect(await site.sync()).toMatchObject([{ status: 'success', complete: true, counts: { read: 0, missing: 0 } }]);
    expect(await titles(site)).toEqual(['Boats', 'Maps', 'Winds']);
  });
});

test('A record that has left is marked, and keeps its item when it returns', async () => {
  await using site = await openTalks(LEAVING, 'missing: { policy: set, set: { notice: Gone }, after: 5 runs }');
  writeRows(site, 'A,Maps,', 'B,Ships,', 'C,Tides,', 'D,Winds,');
  await site.sync();
  writeRows(site, 'A,Maps,', 'B,Ships,', 'C,Tides,', 'D,Winds,left');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { marked: 1 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { marked: 0, missing: 0 } }]);
  const marked = (await site.items('calendar/events')).find(({ title }) => title === 'Winds');
  expect(marked).toMatchObject({ notice: 'Gone' });
  writeRows(site, 'A,Maps,', 'B,Ships,', 'C,Tides,', 'D,Winds,');
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
  expect((await site.items('calendar/events')).find(({ id }) => id === marked?.id)?.notice).toBeFalsy();
});

test('Too many that have left hold the run, until it is approved', async () => {
  await using site = await openTalks(`partial: true, ${LEAVING}`, 'missing: { policy: delete }');
  writeRows(site, 'A,Maps,', 'B,Ships,', 'C,Tides,');
  await site.sync();
  writeRows(site, 'A,Maps,left', 'B,Ships,left');
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_MISSING' } });
  expect(held?.error?.message).toMatch(/2 of the 3 records .* missing from the feed or deleted in it/);
  expect(await titles(site)).toHaveLength(3);
  await site.withContext((context) => approveRun(held?.run ?? '', context));
  expect(await titles(site)).toEqual(['Tides']);
});

test('Without a policy, a record that has left stays in the CMS as it is', async () => {
  await using site = await openTalks(LEAVING, '');
  writeRows(site, 'A,Maps,', 'B,Ships,');
  await site.sync();
  writeRows(site, 'A,Maps,', 'B,Boats,left');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, skipped: 1, deleted: 0 } }]);
  expect(await titles(site)).toEqual(['Maps', 'Ships']);
});

test('A feed of changes with a policy for missing records needs to say what is deleted', async () => {
  await using site = await openTalks('partial: true', DELETE);
  const { exitCode, stderr } = await runHere(['validate'], site.variables);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/talks\.yaml:\d:1: missing has no effect on a partial feed without source\.deleted/);
});

const STEPS = 4;

/** The title of a record at each step; undefined: the source does not have it. */
type History = ReadonlyArray<string | undefined>;

/** All histories of so many steps, except those that differ only in the names of their titles. */
function historiesOf(steps: number): History[] {
  if (steps === 0) return [[]];
  return historiesOf(steps - 1).flatMap((history) => {
    const used = [...new Set(history.filter((title) => title !== undefined))];
    return [undefined, ...used, `title ${used.length}`].map((title) => [...history, title]);
  });
}

test.each(['policy: delete, after: 1 run', 'policy: set, set: { notice: Gone }'])(
  'Feeds of changes lead to the same items as whole feeds, whatever the history of a record (%s)',
  async (policy) => {
    const histories = historiesOf(STEPS);
    expect(histories).toHaveLength(52);
    await using site = await openSite(simplest);
    const days = { whole: '2031-03-01', delta: '2031-04-01' };
    for (const [name, day] of Object.entries(days)) {
      const limits = `missing: { ${policy}, threshold: { percent: 100 } }\nchanges: { threshold: { percent: 100 } }`;
      const how = name === 'delta' ? `, partial: true, ${LEAVING}` : '';
      const source = `connector: csv, url: ./feeds/${name}.csv${how}`;
      writeTalksSync(site, limits, {
        name,
        source,
        map: `title: title, date: { value: ${day} }, time.start: { value: "18:00" }`,
      });
    }
    for (let step = 0; step < STEPS; step++) {
      const row = (index: number, title: string | undefined, status = '') => `R${index},${index} ${title},${status}`;
      const whole = histories.flatMap(({ [step]: title }, index) => (title ? [row(index, title)] : []));
      const delta = histories.flatMap(({ [step]: title, [step - 1]: before }, index) => {
        if (title) return title === before ? [] : [row(index, title)];
        return before ? [row(index, before, 'left')] : [];
      });
      writeCsv(site, 'whole', 'id,title,status', whole);
      writeCsv(site, 'delta', 'id,title,status', delta);
      expect((await site.sync()).map(({ status }) => status)).toEqual(['success', 'success']);
      const items = await site.withContext(({ cms }) => Array.fromAsync(cms.events().list({ limit: 100 })), {
        sync: 'whole',
      });
      const on = (day: string) =>
        items.flatMap(({ date, title, notice }) => (date === day ? [`${title} ${notice}`] : []));
      expect(on(days.delta).sort(), `step ${step}`).toEqual(on(days.whole).sort());
      expect(on(days.whole).filter((item) => !item.endsWith('Gone'))).toHaveLength(whole.length);
    }
  },
);
