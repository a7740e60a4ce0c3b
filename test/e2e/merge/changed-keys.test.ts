import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

test('A source that changes its keys, and changes them back, keeps its items', async () => {
  await using site = await openCampus({ more: 'missing: { policy: delete, after: 1 run }' });
  const rows = [...Array(12).keys()].map((index) => `2027-05-${10 + index}`);
  writeCalendar(
    site,
    'central',
    rows.map((day, index) => [`c${index}`, `Lecture ${index}`, day, '18:00', 'Aula', '']),
  );
  const music = (...keys: string[]) =>
    writeCalendar(site, 'music', [
      [keys[0] ?? '', ...CONCERT, ''],
      [keys[1] ?? '', ...TALK, ''],
    ]);
  music('1', '2');
  await site.sync();
  const before = await itemsOf(site);
  for (const keys of [
    ['a', 'b'],
    ['1', '2'],
    ['a', 'b'],
    ['2', '1'],
  ]) {
    music(...keys);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0, unchanged: 14 } }]);
    expect(await itemsOf(site)).toEqual(before);
  }
});

test('A record with a new key and another title waits, also if it is that of one of several sources', async () => {
  await using site = await openCampus();
  const musical = (key: string, title: string) =>
    writeCalendar(site, 'music', [
      [key, title, '2031-03-01', '19:00', 'Main Hall', ''],
      ['2', ...TALK, ''],
    ]);
  writeCalendar(site, 'central', [['1', 'Opening', '2031-04-01', '10:00', 'Aula', '']]);
  musical('7', 'Requiem');
  await site.sync();
  const before = await itemsOf(site);
  musical('8', 'Requiem by Fauré');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, created: 0, missing: 0 } }]);
  const ask = (...args: string[]) => runHere(['questions', 'campus', ...args], site.variables);
  expect((await ask('--json')).json()).toMatchObject({
    questions: [{ id: 'music/8', why: 'keyChanged', records: [{ key: 'music/8' }, { key: 'music/7' }] }],
  });
  expect((await ask('--same')).exitCode).toBe(0);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, created: 0, missing: 0 } }]);
  expect(await itemsOf(site)).toEqual(
    before.map((item) => ('title' in item && item.title === 'Requiem' ? { ...item, title: 'Requiem by Fauré' } : item)),
  );
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
});
