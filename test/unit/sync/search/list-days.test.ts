import { expect, test } from 'vitest';
import { createDayGroups } from '../../../../src/sync/search/list-days.ts';

function groupsOf(...spans: Array<string | [string, string]>): string[] {
  const { add, groups } = createDayGroups();
  for (const span of spans) {
    const [date, endDate] = typeof span === 'string' ? [span, span] : span;
    add({ date, endDate });
  }
  return groups().map(({ startDate, endDate }) => `${startDate} ${endDate}`);
}

test('Days that are near are one list, with the days before and after', () => {
  expect(groupsOf('2027-03-08', '2027-03-01')).toEqual(['2027-02-28 2027-03-09']);
  expect(groupsOf('2027-03-01', '2027-03-09')).toEqual(['2027-02-28 2027-03-02', '2027-03-08 2027-03-10']);
  expect(groupsOf(['2027-03-01', '2027-03-05'], '2027-03-02', '2027-03-12')).toEqual(['2027-02-28 2027-03-13']);
});

test('A long event counts by its first day, and one without a day not at all', () => {
  expect(groupsOf(['2027-03-01', '2027-12-31'])).toEqual(['2027-02-28 2027-03-02']);
  expect(groupsOf('soon', ['2027-03-05', '2027-03-01'])).toEqual(['2027-03-04 2027-03-06']);
});

test('Weekly events of a year are one list, monthly events a list each', () => {
  const day = (days: number) => new Date(Date.UTC(2027, 0, 1 + days)).toISOString().slice(0, 10);
  expect(groupsOf(...Array.from({ length: 52 }, (_, week) => day(7 * week)))).toHaveLength(1);
  expect(groupsOf(...Array.from({ length: 12 }, (_, month) => day(30 * month)))).toHaveLength(12);
});
