import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { ledgerTables } from '../../support/ledger-tables.ts';
import type { Site } from '../site.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const loseLedger = (site: Site) => rmSync(site.variables.FEEDFERRY_DATA ?? '', { recursive: true, force: true });
const DELETE = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';

test('A lost ledger finds the item of an event under the name of the source that had it first', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  await site.sync();
  const before = await itemsOf(site);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
});

test('A lost ledger finds the item of an event whose first source no longer has it', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  await site.sync();
  const before = await itemsOf(site);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('A plan finds the items that a lost ledger knew, and leaves it to the next run to remember them', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  await site.sync();
  const items = await itemsOf(site);
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Haydn']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  loseLedger(site);
  await site.withApp(async () => undefined);
  const before = await ledgerTables(site.variables);
  const plan = await site.withContext((context) => planRun(context));
  expect(plan).toMatchObject({ status: 'planned', creates: 0, updates: 2, deletes: 0 });
  expect(await ledgerTables(site.variables, { without: plan.run })).toEqual(before);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 2 } }]);
  expect(await itemsOf(site)).toMatchObject([items[0], { ...items[1], description: 'Haydn' }]);
});

test('A lost ledger does not create an event that only resembles an item of the sync', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  const [title, date, start] = CONCERT;
  writeCalendar(site, 'central', [['1', title, date, start, 'Great Hall', 'Mozart']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(2);
});

test('A lost ledger finds the items of records that have new keys since', async () => {
  await using site = await openCampus({ more: DELETE });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'central', [['3', ...CONCERT, 'Mozart']]);
  await site.sync();
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('A lost ledger finds both items of an event that a source had twice, and now has once', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ['2', ...CONCERT, 'Verdi'],
  ]);
  writeCalendar(site, 'music', []);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'central', [['2', ...CONCERT, 'Verdi']]);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('A lost ledger does not make a record missing that its source has, but wrongly', async () => {
  await using site = await openCampus({ more: DELETE });
  const [title, , start] = TALK;
  writeCalendar(site, 'central', [
    ['1', ...TALK, ''],
    ['2', ...CONCERT, 'Mozart'],
  ]);
  writeCalendar(site, 'music', []);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'central', [
    ['1', title, '2031-02-30', start, 'Library', ''],
    ['2', ...CONCERT, 'Mozart'],
  ]);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { deleted: 0, rejected: 1 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('A source that is empty after the ledger was lost proves nothing', async () => {
  await using site = await openCampus({ more: DELETE });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'central', []);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { deleted: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('A source that takes over after the ledger was lost leaves what editors have added', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 2 runs, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  const [concert] = await site.items('calendar/events');
  await site.request('PATCH', `api/v1/calendar/events/${concert?.id}`, { note: 'Sold out' });
  writeCalendar(site, 'central', [['2', 'Jazz', '2031-04-01', '20:00', 'Club', '']]);
  loseLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'success' }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
  const items = await site.items('calendar/events');
  expect(items.find(({ id }) => id === concert?.id)).toMatchObject({ description: 'With choir', note: 'Sold out' });
});
