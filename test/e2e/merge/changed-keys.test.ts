import { expect, test } from 'vitest';
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
