import { expect, test } from 'vitest';
import { isOver } from '../../../src/mapping/window.ts';

const at = (start?: string, end?: string, endDate = '2031-03-01') => ({
  date: '2031-03-01',
  endDate,
  time: { ...(start !== undefined && { start }), ...(end !== undefined && { end }), type: 'timed' },
});

test.each([
  ['with start and end', at('18:00:00', '19:30:00'), '2031-03-01T19:30:00'],
  ['with a start only', at('18:00:00'), '2031-03-01T18:00:00'],
  ['that ends when it starts', at('18:00:00', '18:00:00'), '2031-03-01T18:00:00'],
  ['of a whole day', at('00:00:00', '23:59:59'), '2031-03-01T23:59:59'],
  ['without times', at(), '2031-03-01T23:59:59'],
  ['without a time', { date: '2031-03-01', endDate: '2031-03-01' }, '2031-03-01T23:59:59'],
  ['without a last day', { date: '2031-03-01', time: { start: '18:00:00', end: '19:00:00' } }, '2031-03-01T19:00:00'],
  ['that ends after midnight', at('22:00:00', '02:00:00'), '2031-03-02T02:00:00'],
  ['that ends on the day after', at('22:00:00', '02:00:00', '2031-03-02'), '2031-03-02T02:00:00'],
  ['of several days', at('10:00:00', '17:00:00', '2031-03-04'), '2031-03-04T17:00:00'],
  ['of several days without an end', at('10:00:00', undefined, '2031-03-04'), '2031-03-04T23:59:59'],
])('An event %s is over when it has ended', (_, event, end) => {
  const before = new Date(Date.parse(`${end}Z`) - 1000).toISOString().slice(0, 19);
  expect([before, end].map((now) => isOver(event, now))).toEqual([false, true]);
});

test.each([[{}], [{ title: 'Ada' }], [{ date: null, endDate: null }]])('%j has no end', (record) => {
  expect(isOver(record, '9999-12-31T23:59:59')).toBe(false);
});
