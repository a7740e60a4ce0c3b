import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Site } from '../site.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const loseLedger = (site: Site) => rmSync(site.variables.FEEDFERRY_DATA ?? '', { recursive: true, force: true });

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
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
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
