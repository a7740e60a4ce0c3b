import { expect, test } from 'vitest';
import { CONCERT, itemsOf, openCampus, type Row, TALK, writeCalendar } from './two-calendars.ts';

const DELETE = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\nchanges: { churn: false }';
const concert = (key: string, text: string): Row => [key, ...CONCERT, text];
const talk = (key: string): Row => [key, ...TALK, ''];

test('Events that a source lists twice keep their items when it changes all keys', async () => {
  await using site = await openCampus({ more: DELETE });
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [concert('7', 'With choir'), concert('8', 'With organ'), talk('9')]);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'music', [concert('17', 'With choir'), concert('18', 'With organ'), talk('19')]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3, created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
});

test('An event that has left does not keep another one from being recognised by its new key', async () => {
  await using site = await openCampus({ more: DELETE });
  writeCalendar(site, 'central', []);
  const [title, date, start] = CONCERT;
  writeCalendar(site, 'music', [concert('7', ''), ['8', title, date, start, 'Open Air Stage', ''], talk('9')]);
  await site.sync();
  writeCalendar(site, 'music', [concert('7', ''), talk('9')]);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
  const before = await itemsOf(site);
  writeCalendar(site, 'music', [['17', title, date, start, 'Aula', ''], talk('9')]);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toMatchObject([before[0] as object, { ...before[1], location: 'Aula' }]);
});

test('A key that a source uses again is another event', async () => {
  await using site = await openCampus({ more: DELETE });
  writeCalendar(site, 'central', []);
  writeCalendar(site, 'music', [concert('7', 'With choir'), talk('9')]);
  await site.sync();
  writeCalendar(site, 'music', [concert('17', 'With choir'), talk('9')]);
  await site.sync();
  const before = await itemsOf(site);
  writeCalendar(site, 'music', [
    concert('17', 'With choir'),
    ['7', 'Jazz', '2031-04-01', '20:00', 'Club', ''],
    talk('9'),
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2, created: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Jazz' }, ...before]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 3 } }]);
});
