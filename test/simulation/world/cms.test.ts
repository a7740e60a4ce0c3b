import { expect, test } from 'vitest';
import { switchesSchema } from '../../../src/sandbox/options.ts';
import { createSimulatedCms } from './cms.ts';

test('Lists are late for the items that are created meanwhile, and for no others', () => {
  let now = 0;
  const cms = createSimulatedCms(switchesSchema.parse({ attributes: ['any'] }), () => now, 'events');
  const create = (title: string, lagMs: number) => {
    const body = { title, date: '2030-05-01', endDate: '2030-05-01', time: { type: 'allDay' } };
    const answer = cms.answer({ method: 'POST', path: '/calendar/events', query: '', body }, lagMs);
    expect(answer).toMatchObject({ status: 201 });
  };
  const shown = () => {
    const { text } = cms.answer({ method: 'GET', path: '/calendar/events', query: '' });
    return JSON.parse(text).data.map(({ title }: { title: string }) => title);
  };

  create('Concert', 0);
  create('Lecture', 500);
  expect(shown()).toEqual(['Concert']);
  now = 500;
  expect(shown()).toEqual(['Concert', 'Lecture']);
});
