import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

describe.each(either(1))('Several sources on $ledger with $queue', (engines) => {
  test('An event of two calendars is published once, by the better one', async () => {
    await using site = await openCampus({ engines });
    writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
    writeCalendar(site, 'music', [
      ['7', ...CONCERT, 'With choir'],
      ['8', ...TALK, 'By hand'],
    ]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 2, created: 2 } }]);
    expect(await itemsOf(site)).toMatchObject([
      { title: 'Old Maps', description: 'By hand' },
      { title: 'Requiem', description: 'Mozart' },
    ]);
    site.writes();
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 2, unchanged: 2 } }]);
    expect(site.writes()).toEqual({});
  });
});

test('A calendar that has an event first keeps its item when a better one joins', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const [first] = await itemsOf(site);
  writeCalendar(site, 'central', [['1', 'REQUIEM', ...(CONCERT.slice(1) as [string, string, string]), 'Mozart']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 1, updated: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{ ...first, title: 'REQUIEM', description: 'Mozart' }]);
});

test('The other calendar takes over when the better one no longer has the event, and gives it back', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 2 runs, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const [, concert] = await itemsOf(site);
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, missing: 0 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 1, deleted: 0 } }]);
  expect(await itemsOf(site)).toMatchObject([{}, { ...concert, description: 'With choir' }]);
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ['2', ...TALK, ''],
  ]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{}, concert as object]);
});

test('An event is deleted once all its calendars have proved that they no longer have it', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', 'Jazz', '2031-04-01', '20:00', 'Club', ''],
  ]);
  await site.sync();
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  await site.sync();
  expect(await itemsOf(site)).toHaveLength(3);
  writeCalendar(site, 'music', [['8', 'Jazz', '2031-04-01', '20:00', 'Club', '']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1, unchanged: 2 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Jazz' }, { title: 'Old Maps' }]);
});

test('A calendar that cannot be read changes nothing, and is reported', async () => {
  await using site = await openCampus({ more: 'missing: { policy: delete, after: 1 run }' });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [['8', ...TALK, 'By hand']]);
  await site.sync();
  rmSync(join(site.dir, 'config/syncs/feeds/music.csv'));
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Verdi']]);
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'partial', complete: false, counts: { updated: 1, unchanged: 1, deleted: 0 } });
  expect(JSON.stringify(run?.warnings)).toContain('Its records stay as they are');
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'Verdi' }]);
  const { syncs } = (await runHere(['status', '--json'], site.variables)).json<{ syncs: object[] }>();
  expect(syncs).toMatchObject([
    {
      sources: [
        { source: 'central', records: 1, complete: true },
        { source: 'music', complete: false, error: { message: expect.stringContaining('music.csv') } },
      ],
    },
  ]);
  expect((await runHere(['status'], site.variables)).stdout).toMatch(/music, read .*not read: .*music\.csv/s);
});

test('A complete reading after one that was cut off counts in full', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  const music = [
    ['8', ...TALK, ''],
    ['9', 'Jazz', '2031-04-01', '20:00', 'Club', ''],
  ] as const;
  writeCalendar(site, 'music', music);
  await site.sync();
  writeCalendar(site, 'music', [...music, ['10', '"Never clo', '', '', '', '']]);
  expect(await site.sync()).toMatchObject([{ status: 'partial', complete: false, counts: { unchanged: 3 } }]);
  writeCalendar(site, 'music', [music[0]]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, deleted: 1 } }]);
});

test('A source that no longer has an event does not publish it again when it cannot be read', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
  rmSync(join(site.dir, 'config/syncs/feeds/central.csv'));
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unchanged: 2, updated: 0 } }]);
});
