import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar, writeCampus } from './two-calendars.ts';

test('A source that is removed takes nothing with it until it is a source without records', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  writeCampus(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }', ['central']);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, deleted: 0 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, deleted: 0 } }]);
  writeCampus(site, 'missing: { policy: delete, after: 1 run }', ['central', 'music'], 'music');
  writeCalendar(site, 'music', []);
  const [held] = await site.sync();
  expect(await site.approve('campus', held?.run ?? '')).toMatchObject({ counts: { deleted: 1 } });
  writeCampus(site, '', ['central']);
  const status = await runHere(['status', 'campus', '--json'], site.variables);
  expect(status.json()).toMatchObject({ syncs: [{ sources: [{ source: 'central' }] }] });
  expect(await itemsOf(site)).toMatchObject([{ title: 'Requiem', description: 'Mozart' }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
});

test('The order of the sources decides who publishes, and another order is held once', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const [before] = await itemsOf(site);
  writeCampus(site, '', ['music', 'central']);
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_SOURCES' } });
  const approved = await runHere(['approve', held?.run ?? '', '--json'], site.variables);
  expect(approved.json()).toMatchObject({ runs: [{ status: 'success', counts: { updated: 1 } }] });
  expect(await itemsOf(site)).toMatchObject([{ ...before, description: 'With choir' }]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With organ']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
});

test('A source that is added is held once, with what it would create', async () => {
  await using site = await openCampus({ sources: ['central'] });
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  await site.sync();
  writeCampus(site);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_SOURCES' } });
  await runHere(['approve', held?.run ?? '', '--json'], site.variables);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'Mozart' }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
});

test('A source that has changed all its keys keeps its items', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'music', [
    ['70', ...CONCERT, 'With choir'],
    ['80', ...TALK, ''],
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2, created: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('Too many events that one source loses at once hold the run', async () => {
  await using site = await openCampus({ more: 'missing: { policy: delete, after: 1 run }' });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_GUARD_MISSING' } }]);
  const approved = await runHere(['approve', '--json', '--reason', 'cancelled'], site.variables);
  expect(approved.stderr + approved.stdout).not.toBe('');
});

test('The records of two former syncs become those of its sources', async () => {
  await using site = await openCampus();
  const map = 'key: id\nmap: { title: title, date: date, time.start: start, location: hall, description: text }\n';
  site.write('syncs/campus.yaml', `resource: events\nsource: { connector: csv, url: ./feeds/central.csv }\n${map}`);
  writeCalendar(site, 'central', [['1', ...TALK, 'By hand']]);
  await site.sync();
  const [before] = await itemsOf(site);
  site.write(
    'syncs/all.yaml',
    `resource: events\nsources:\n  central: { connector: csv, url: ./feeds/central.csv, renamedFrom: campus }\n  music: { connector: csv, url: ./feeds/music.csv }\n${map}`,
  );
  (await import('node:fs')).rmSync(`${site.dir}/config/syncs/campus.yaml`);
  writeCalendar(site, 'music', [['7', ...TALK, 'With slides']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0 } }]);
  expect(await itemsOf(site)).toEqual([before]);
});
