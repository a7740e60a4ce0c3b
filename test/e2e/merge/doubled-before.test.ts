import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openDoubled } from './doubled.ts';
import { CONCERT, itemsOf, openCampus, writeCalendar } from './two-calendars.ts';

test('An event that two syncs have published stays twice, until a person deletes one of its items', async () => {
  await using site = await openDoubled();
  expect(await itemsOf(site)).toHaveLength(3);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(3);
  const heal = (...options: string[]) => runHere(['verify', 'campus', '--heal', ...options], site.variables);
  const verified = await heal('--json');
  const [central] = (await site.items('calendar/events')).filter(({ title }) => title === 'Requiem');
  const found = { key: 'music/7', cause: 'doubled', with: { key: 'central/1', cmsId: central?.id } };
  expect(verified.json()).toMatchObject({ verified: [{ drift: [found] }], runs: [], remaining: [{ drift: [found] }] });
  expect(verified.exitCode).toBe(3);
  expect(await itemsOf(site)).toHaveLength(3);

  // What the output says.
  expect((await heal()).stdout).toContain('feedferry verify campus --heal');
  const { drift } = verified.json<{ verified: [{ drift: [{ cmsId: number }] }] }>().verified[0];
  await site.request('DELETE', `api/v1/calendar/events/${drift[0].cmsId}`);
  expect((await heal('--json')).exitCode).toBe(0);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'Mozart' }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(2);
  expect((await runHere(['verify', 'campus', '--json'], site.variables)).exitCode).toBe(0);
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
