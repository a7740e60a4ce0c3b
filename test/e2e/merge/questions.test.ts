import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import type { Site } from '../site.ts';
import { CONCERT, itemsOf, openCampus, type Row, TALK, writeCalendar } from './two-calendars.ts';

interface Asked {
  questions: Array<{ id: string; why: string; waiting: number; records: Array<{ key: string; title: string }> }>;
}

const questions = (site: Site, ...args: string[]) =>
  runHere(['questions', 'campus', '--json', ...args], site.variables);
const open = async (site: Site) => (await questions(site)).json<Asked>().questions;
const [title, date, start] = CONCERT;
const at = (key: string, hall: string, on: string = date): Row => [key, title, on, start, hall, ''];
const titles = async (site: Site) => ((await itemsOf(site)) as Array<{ title: string }>).map((item) => item.title);

test('An event at a place with another name waits for one answer, which holds for the two places', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [at('1', 'Main Hall'), at('2', 'Main Hall', '2031-03-08')]);
  writeCalendar(site, 'music', [at('7', 'Großer Saal'), at('8', 'Großer Saal', '2031-03-08')]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2, held: 0 } }]);
  expect(await open(site)).toMatchObject([
    {
      why: 'places',
      waiting: 2,
      records: [{ key: 'music/7' }, { key: 'central/1', title: `${title}, ${date} ${start}, Main Hall` }],
    },
  ]);
  const [asked] = await open(site);
  await questions(site, '--same', asked?.id ?? '', '--note', 'renamed in 2030');
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2, created: 0 } }]);
  expect(await open(site)).toEqual([]);
  // A new event at the two places needs no further answer.
  writeCalendar(site, 'central', [
    at('1', 'Main Hall'),
    at('2', 'Main Hall', '2031-03-08'),
    at('3', 'Main Hall', '2031-04-01'),
  ]);
  writeCalendar(site, 'music', [
    at('7', 'Großer Saal'),
    at('8', 'Großer Saal', '2031-03-08'),
    at('9', 'Großer Saal', '2031-04-01'),
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2, created: 1 } }]);
  expect((await questions(site, '--answered')).json()).toMatchObject({
    answers: [{ id: asked?.id, answer: 'same', note: 'renamed in 2030' }],
  });
});

test('Different events are both published, and an answer can be taken back', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [at('1', 'North Library')]);
  writeCalendar(site, 'music', [at('7', 'South Library')]);
  await site.sync();
  const [asked] = await open(site);
  await questions(site, '--distinct', asked?.id ?? '');
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, created: 1 } }]);
  expect(await titles(site)).toEqual([title, title]);
  await questions(site, '--take-back', asked?.id ?? '');
  expect((await questions(site, '--answered')).json()).toMatchObject({ answers: [] });
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
});

test('An event without a place is never joined by itself', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [at('1', 'Main Hall')]);
  writeCalendar(site, 'music', [at('7', '')]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  expect(await open(site)).toMatchObject([{ why: 'noPlace' }]);
});

test('Two records of one source are never joined, and neither is joined with the event of another one by itself', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [at('1', 'Main Hall')]);
  writeCalendar(site, 'music', [at('7', 'Main Hall'), at('8', 'Main Hall')]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  const asked = await open(site);
  expect(asked.map(({ why, records: [record] }) => [why, record?.key])).toEqual([
    ['several', 'music/7'],
    ['several', 'music/8'],
  ]);
  await questions(site, '--same', asked[0]?.id ?? '');
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, created: 1 } }]);
  expect(await open(site)).toEqual([]);
});

test('If one of two records is said to be the event, the same run publishes the other, whichever comes first', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [at('1', 'Main Hall')]);
  writeCalendar(site, 'music', [at('7', 'Main Hall'), at('8', 'Main Hall')]);
  await site.sync();
  const [, second] = await open(site);
  await questions(site, '--same', second?.id ?? '');
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, created: 1 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
});

test('Signs do not vanish from titles, while case, blanks and entities do not matter', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [
    ['1', 'Version 1.5', date, start, 'Lab', ''],
    ['2', 'Jazz &amp; Soul', date, start, 'Club', ''],
    ['3', 'C++ for beginners', date, start, 'Lab', ''],
  ]);
  writeCalendar(site, 'music', [
    ['7', 'Version 15', date, start, 'Lab', ''],
    ['8', 'JAZZ  &  SOUL', date, start, 'club', ''],
    ['9', 'C for beginners', date, start, 'Lab', ''],
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 5 } }]);
});

test('An event that one source has moved gives no new values until the other follows', async () => {
  await using site = await openCampus({ more: 'merge: { fill: { description: [music] } }' });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, ''],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const [, concert] = await itemsOf(site);
  expect(concert).toMatchObject({ description: 'With choir', date });
  writeCalendar(site, 'central', [
    ['1', title, '2031-03-15', start, 'Main Hall', ''],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With organ']]);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, created: 0 } }]);
  expect((await itemsOf(site))[1]).toMatchObject({ ...concert, date: '2031-03-15' });
  // The other source may follow.
  expect(await open(site)).toEqual([]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
  expect((await open(site)).map(({ why }) => why)).toEqual(['moved']);
  writeCalendar(site, 'music', [['7', title, '2031-03-15', start, 'Main Hall', 'With organ']]);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, created: 0 } }]);
  expect((await itemsOf(site))[1]).toMatchObject({ ...concert, date: '2031-03-15', description: 'With organ' });
  expect(await open(site)).toEqual([]);
});

test('An event that is no longer the same gets an item of its own if a person says so', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, '']]);
  await site.sync();
  writeCalendar(site, 'music', [['7', 'Jazz', date, start, 'Main Hall', '']]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  await site.sync();
  const [asked] = await open(site);
  expect(asked).toMatchObject({ why: 'moved' });
  await questions(site, '--distinct', asked?.id ?? '');
  await site.sync();
  expect(await titles(site)).toEqual(['Jazz', title]);
});

test('What a source no longer gives is cleared', async () => {
  await using site = await openCampus({
    more: 'merge: { fill: { description: [music] } }\nmissing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 1 } }]);
  const [, concert] = (await itemsOf(site)) as Array<{ description?: string | null }>;
  expect(concert?.description ?? '').toBe('');
});

test('An event that one source moves to another place waits for an answer, and gives no new values until then', async () => {
  await using site = await openCampus({ more: 'merge: { fill: { description: [music] } }' });
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  writeCalendar(site, 'central', [at('1', 'Open Air Stage')]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With organ']]);
  await site.sync();
  expect(await open(site)).toEqual([]);
  await site.sync();
  expect(await itemsOf(site)).toMatchObject([{ location: 'Open Air Stage', description: 'With choir' }]);
  const [asked] = await open(site);
  expect(asked).toMatchObject({ why: 'places' });
  await questions(site, '--distinct', asked?.id ?? '');
  await site.sync();
  expect(await itemsOf(site)).toMatchObject([{ location: 'Open Air Stage' }, { location: 'Main Hall' }]);
});

test('A new record at the old time of one that its source has moved waits for an answer, and may take its place', async () => {
  await using site = await openCampus({ more: 'merge: { fill: { description: [music] } }' });
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  writeCalendar(site, 'music', [at('7', 'Main Hall', '2031-03-15'), ['9', ...CONCERT, 'With organ']]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0 } }]);
  const asked = (await open(site)).find(({ why }) => why === 'several');
  expect(asked?.records).toMatchObject([{ key: 'music/9' }, { key: 'central/1' }]);
  await questions(site, '--same', asked?.id ?? '');
  await site.sync();
  expect(await itemsOf(site)).toMatchObject([{ date, description: 'With organ' }, { date: '2031-03-15' }]);
});

test('A new record at the old time of one that its source has moved within the day waits for an answer, too', async () => {
  await using site = await openCampus({ more: 'merge: { fill: { description: [music] } }' });
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const [title, day, , hall] = CONCERT;
  writeCalendar(site, 'music', [
    ['7', title, day, '14:00', hall, 'Rehearsal'],
    ['9', ...CONCERT, 'With organ'],
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(1);
  const asked = (await open(site)).find(({ why }) => why === 'several');
  expect(asked?.records).toMatchObject([{ key: 'music/9' }, { key: 'central/1' }]);
});

test('A record that is another event is not the one that another source drops in the same run', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [at('1', 'Main Hall'), ['2', ...TALK, '']]);
  writeCalendar(site, 'music', [at('7', 'Great Hall')]);
  await site.sync();
  const [asked] = await open(site);
  await questions(site, '--distinct', asked?.id ?? '');
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, deleted: 1 } }]);
});

test('An event that is no longer the same is asked about after as many complete readings as a missing one leaves', async () => {
  await using site = await openCampus({
    more: 'missing: { policy: delete, after: 3 runs, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, '']]);
  await site.sync();
  writeCalendar(site, 'music', [at('7', 'Main Hall', '2031-03-15')]);
  await site.sync();
  // What was cut off does not count.
  writeCalendar(site, 'music', [at('7', 'Main Hall', '2031-03-15'), ['9', '"Never clo', '', '', '', '']]);
  await site.sync();
  writeCalendar(site, 'music', [at('7', 'Main Hall', '2031-03-15')]);
  await site.sync();
  expect(await open(site)).toEqual([]);
  const [report] = await site.sync();
  expect(await open(site)).toMatchObject([{ why: 'moved' }]);
  const message = '1 event is no longer surely the same in all sources. Answer: `feedferry questions campus`';
  expect(report).toMatchObject({ status: 'success', warnings: [{ at: 'feed', message }] });
  // It is the same for one run: the readings are counted again.
  writeCalendar(site, 'music', [['7', ...CONCERT, '']]);
  await site.sync();
  writeCalendar(site, 'music', [at('7', 'Main Hall', '2031-03-15')]);
  await site.sync();
  expect(await open(site)).toEqual([]);
});

test('A record that is no longer the same is asked about with the source that publishes the event now', async () => {
  const sources = ['central', 'music', 'library'];
  const more = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';
  await using site = await openCampus({ more, sources });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, ''],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [['7', ...CONCERT, '']]);
  writeCalendar(site, 'library', [['9', ...CONCERT, '']]);
  await site.sync();
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  await site.sync();
  writeCalendar(site, 'music', [at('7', 'Main Hall', '2031-03-15')]);
  await site.sync();
  expect(await open(site)).toMatchObject([{ why: 'moved', records: [{ key: 'library/9' }, { key: 'music/7' }] }]);
});
