import { expect, test } from 'vitest';
import { switchesSchema } from '../../../src/sandbox/options.ts';
import { RESOURCES } from '../plan/resources.ts';
import { createSimulatedCms } from './cms.ts';
import { createHabits, type Habit } from './habits.ts';
import { itemsOf } from './items.ts';

const BODY = {
  title: 'Talk 1',
  date: '2027-05-01',
  endDate: '2027-05-01',
  time: { type: 'allDay' },
  description: 'old',
  source_key: 'talks:T1',
};

const noEditors = { forget: () => {}, answerWithOwn: () => ({ status: 201, text: JSON.stringify({ id: 9 }) }) };

/** What a habit leaves of an item that was created, then changed: the status of both answers, and the item. */
const cases: Array<{ habit: Omit<Habit, 'of'>; statuses: [number, number]; left: object | undefined }> = [
  { habit: { is: 'keepsOld' }, statuses: [201, 200], left: { description: 'old', note: 'seen' } },
  { habit: { is: 'dropsText' }, statuses: [201, 200], left: { description: undefined, note: 'seen' } },
  { habit: { is: 'takesTextOnCreate' }, statuses: [201, 200], left: { description: 'old', note: 'seen' } },
  { habit: { is: 'replaces' }, statuses: [201, 200], left: { description: 'new', note: undefined } },
  { habit: { is: 'hidesItems' }, statuses: [201, 404], left: { description: 'old' } },
  { habit: { is: 'hidesAll' }, statuses: [201, 404], left: { description: 'old' } },
  { habit: { is: 'failsCreates' }, statuses: [500, 200], left: { description: 'new' } },
  { habit: { is: 'dropsNote' }, statuses: [201, 200], left: { description: 'new', note: undefined } },
  { habit: { is: 'keepsDeleted' }, statuses: [201, 200], left: { description: 'new', note: 'seen' } },
  { habit: { is: 'hidesNames' }, statuses: [201, 200], left: { title: 'Talk 1', description: 'new' } },
  { habit: { is: 'answersWithOthers' }, statuses: [201, 404], left: undefined },
  { habit: { is: 'cutsExternalIds' }, statuses: [201, 200], left: { source_key: 'talks:', description: 'new' } },
  { habit: { is: 'forgetsCreates' }, statuses: [201, 404], left: undefined },
  { habit: { is: 'refuses', methods: ['PATCH'], status: 422 }, statuses: [201, 422], left: { description: 'old' } },
];

test.each(cases)('A CMS that $habit.is answers and keeps what it should', ({ habit, statuses, left }) => {
  const cms = createSimulatedCms(switchesSchema.parse({ attributes: ['any'] }), () => 0, 'events');
  const habits = createHabits(() => cms, RESOURCES.events, noEditors);
  habits.begin({ ...habit, of: 1 });
  const { path } = RESOURCES.events;

  const created = habits.answer({ method: 'POST', path, query: '', body: BODY }, 0);
  cms.answer({ method: 'PATCH', path: `${path}/1`, query: '', body: { note: 'seen' } });
  const patched = habits.answer({ method: 'PATCH', path: `${path}/1`, query: '', body: { description: 'new' } }, 0);

  expect([created.status, patched.status]).toEqual(statuses);
  const [item] = itemsOf(cms);
  for (const [attribute, value] of Object.entries(left ?? {})) expect(item?.[attribute]).toBe(value);
  expect(item !== undefined).toBe(left !== undefined);
});

test.each([204, 404])('A CMS that keeps what it says to have deleted answers %i', (status) => {
  const cms = createSimulatedCms(switchesSchema.parse({ attributes: ['any'] }), () => 0, 'events');
  const habits = createHabits(() => cms, RESOURCES.events, noEditors);
  const { path } = RESOURCES.events;
  cms.answer({ method: 'POST', path, query: '', body: BODY });

  habits.begin({ is: 'keepsDeleted', of: 1, status });
  expect(habits.answer({ method: 'DELETE', path: `${path}/1`, query: '' }, 0).status).toBe(status);
  habits.endAll();
  expect(itemsOf(cms)).toHaveLength(1);
});

test('A habit that has ended matters no longer, and one of some records only for these', () => {
  const cms = createSimulatedCms(switchesSchema.parse({ attributes: ['any'] }), () => 0, 'events');
  const habits = createHabits(() => cms, RESOURCES.events, noEditors);
  const habit: Habit = { is: 'refuses', of: 2, methods: ['POST'], status: 400 };
  const create = (title: string) =>
    habits.answer({ method: 'POST', path: RESOURCES.events.path, query: '', body: { ...BODY, title } }, 0).status;

  habits.begin(habit);
  expect([create('Talk 1'), create('Talk 2')]).toEqual([201, 400]);
  habits.end(habit);
  expect(create('Talk 2')).toBe(201);
});
