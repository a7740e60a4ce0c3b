import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openDoubled } from './doubled.ts';
import { CONCERT, itemsOf, openCampus, writeCalendar } from './two-calendars.ts';

test('An event that two syncs have published stays twice, until a repair removes one of them', async () => {
  await using site = await openDoubled();
  expect(await itemsOf(site)).toHaveLength(3);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(3);
  const verified = await runHere(['verify', 'campus', '--json'], site.variables);
  expect(verified.json()).toMatchObject({ verified: [{ drift: [{ key: 'music/7', cause: 'doubled' }] }] });

  const healed = await runHere(['verify', 'campus', '--heal', '--json'], site.variables);
  expect(healed.json()).toMatchObject({ runs: [{ counts: { deleted: 1 } }] });
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'Mozart' }]);
  // The record of the other source has joined the item that is left.
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, unchanged: 2 } }]);
  expect(await itemsOf(site)).toHaveLength(2);
});

test.each([
  ['a flag', { isFeatured: true }, {}],
  ['a text in place of another one', { instructor: 'Ann' }, { instructor: 'Ben' }],
])('An item with %s that an editor has set is left to a person', async (_, onNewer, onOlder) => {
  await using site = await openDoubled();
  const [older, newer] = (await site.items('calendar/events')).filter(({ title }) => title === 'Requiem');
  await site.request('PATCH', `api/v1/calendar/events/${newer?.id}`, onNewer);
  await site.request('PATCH', `api/v1/calendar/events/${older?.id}`, onOlder);
  await site.sync();
  await runHere(['verify', 'campus', '--heal', '--json'], site.variables);
  expect((await itemsOf(site)).filter((item) => (item as { title: string }).title === 'Requiem')).toHaveLength(2);
});

test('Two records of one source are no doubles, even if a person has called both the event of another source', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'Matinee'],
    ['8', ...CONCERT, 'Gala'],
  ]);
  await site.sync();
  const asked = await runHere(['questions', 'campus', '--json'], site.variables);
  const ids = asked.json<{ questions: Array<{ id: string }> }>().questions.map(({ id }) => id);
  await runHere(['questions', 'campus', '--same', ...ids], site.variables);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  const healed = await runHere(['verify', 'campus', '--heal', '--json'], site.variables);
  expect(healed.json()).toMatchObject({ verified: [{ drift: [] }], runs: [] });
  expect(await itemsOf(site)).toHaveLength(2);
});

test('Events that a person has called different are no doubles', async () => {
  await using site = await openCampus();
  const [title, date, start] = CONCERT;
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', title, date, start, 'Main Hall annex', '']]);
  await site.sync();
  const asked = await runHere(['questions', 'campus', '--json'], site.variables);
  const [question] = asked.json<{ questions: Array<{ id: string }> }>().questions;
  await runHere(['questions', 'campus', '--distinct', question?.id ?? ''], site.variables);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, unchanged: 1 } }]);
  const verified = await runHere(['verify', 'campus', '--json'], site.variables);
  expect(verified.json()).toMatchObject({ verified: [{ drift: [] }] });
});
