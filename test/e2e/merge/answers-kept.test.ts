import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import type { Site } from '../site.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const [title, date, start] = CONCERT;
const questions = (site: Site, ...args: string[]) => runHere(['questions', 'campus', ...args], site.variables);
const open = async (site: Site) =>
  (await questions(site, '--json')).json<{ questions: Array<{ id: string; records: Array<{ key: string }> }> }>()
    .questions;

/** The concert and a talk in both calendars. */
function write(site: Site, central: string, music: string, hall: string = CONCERT[3]): void {
  writeCalendar(site, 'central', [[central, ...CONCERT, '']]);
  writeCalendar(site, 'music', [
    [music, title, date, start, hall, ''],
    [`${music}-talk`, ...TALK, ''],
  ]);
}

test('A record that was separated stays so if the next export has other keys', async () => {
  await using site = await openCampus();
  write(site, '1', '7');
  expect(await site.sync()).toMatchObject([{ counts: { created: 2 } }]);
  expect((await questions(site, '--distinct', 'music/7')).exitCode).toBe(0);
  write(site, 'c', 'm');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 2 } }]);
  const both = await itemsOf(site);
  expect(both).toHaveLength(3);
  write(site, 'x', 'y');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, unchanged: 3 } }]);
  expect(await itemsOf(site)).toEqual(both);
});

test.each(['same', 'distinct'])('The answer "%s" holds if the next export has other keys', async (answer) => {
  await using site = await openCampus();
  write(site, '1', '7', '');
  await site.sync();
  const [asked] = await open(site);
  await questions(site, `--${answer}`, asked?.id ?? '');
  write(site, 'c', 'm', '');
  const created = answer === 'same' ? 0 : 1;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created, unchanged: 2 } }]);
  expect(await open(site)).toEqual([]);
  write(site, 'x', 'y', '');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, unchanged: 2 + created } }]);
  expect(await open(site)).toEqual([]);
});

test('An answer that contradicts others is refused until one of these is taken back', async () => {
  await using site = await openCampus({ sources: ['central', 'music', 'city'] });
  for (const source of ['central', 'music', 'city']) writeCalendar(site, source, [['1', title, date, start, '', '']]);
  await site.sync();
  const idOf = async (...keys: string[]) =>
    (await open(site)).find(({ records }) => records.every(({ key }) => keys.includes(key)))?.id ?? '';
  const [first, second] = [await idOf('central/1', 'music/1'), await idOf('central/1', 'city/1')];
  const third = await idOf('music/1', 'city/1');
  await questions(site, '--same', first);
  await questions(site, '--distinct', second);
  // Each asks about records that wait, so the third may only come up once the second is answered.
  const last = third || (await idOf('music/1', 'city/1'));
  const refused = await questions(site, '--same', last);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain('FF_ANSWER_CONTRADICTS');
  for (const id of [first, second]) expect(refused.stderr).toContain(id);
  const [, remedy = ''] =
    /`feedferry questions campus (--take-back \w+)`/.exec(refused.stderr.replaceAll(/\s+/g, ' ')) ?? [];
  expect(await questions(site, ...remedy.split(' '))).toMatchObject({ exitCode: 0 });
  // What is asked then leads to the end: all three are one event.
  const [asked] = await open(site);
  expect(await questions(site, '--same', asked?.id ?? '')).toMatchObject({ exitCode: 0, stderr: '' });
  await site.sync();
  expect(await open(site)).toEqual([]);
  expect(await itemsOf(site)).toHaveLength(1);
});
