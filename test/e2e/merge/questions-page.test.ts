import { expect, test } from 'vitest';
import type { OverviewView } from '../../../src/queries/views/overview.ts';
import type { QuestionsView } from '../../../src/queries/views/question.ts';
import { serveConsole } from '../serve-console.ts';
import { CONCERT, itemsOf, openCampus, writeCalendar } from './two-calendars.ts';

const [title, date, start] = CONCERT;

test('Questions are answered in the console, counted in the overview, and taken back', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, '<p>By Mozart</p>']]);
  writeCalendar(site, 'music', [['7', title, date, start, 'Great Hall', '']]);
  const [run] = await site.sync();
  const warning = { at: 'feed', message: expect.stringContaining('`feedferry questions campus`') };
  expect(run).toMatchObject({ warnings: [warning] });
  const url = await serveConsole(site);
  const get = async <View>(path: string) => (await (await fetch(`${url}/api${path}`)).json()) as View;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.status;
  };
  const questions = () => get<QuestionsView>('/syncs/campus/questions');
  const attention = async () => (await get<OverviewView>('/overview')).attention.map(({ is }) => is);

  const { questions: open } = await questions();
  expect(open).toMatchObject([
    {
      why: 'places',
      waiting: 1,
      records: [
        { source: 'music', event: { title, day: date, start, place: 'Great Hall' } },
        { source: 'central', event: { place: 'Main Hall', description: 'By Mozart' } },
      ],
    },
  ]);
  expect(await attention()).toEqual(['questions']);
  expect(await get('/syncs/campus')).toMatchObject({ health: 'ok', questions: 1 });

  const asked = open.map(({ id }) => id);
  expect(await post('/syncs/campus/questions', { questions: asked, answer: 'distinct', note: 'two choirs' })).toBe(200);
  expect(await post('/syncs/campus/questions', { questions: asked, answer: 'same' })).toBe(409);
  expect(await get('/syncs/campus')).toMatchObject({ questions: 0 });
  expect(await questions()).toMatchObject({ total: 0, answers: [{ answer: 'distinct', note: 'two choirs' }] });
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  expect(await itemsOf(site)).toHaveLength(2);

  expect(await post('/syncs/campus/questions/take-back', { questions: asked })).toBe(200);
  expect(await questions()).toMatchObject({ answers: [] });
});
