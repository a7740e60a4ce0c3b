import { expect, test } from 'vitest';
import { describeEndedYears } from '../../../src/source/ended-years.ts';

const described = (year: string, today: string) =>
  describeEndedYears({ map: { start: { field: 'day', year } } }, today);

test.each([
  ['2026-09', '2027-08-31', undefined],
  ['2026-09', '2027-09-01', '2027-09'],
  ['2026-09', '2029-01-15', '2028-09'],
  ['2026', '2026-12-31', undefined],
  ['2026', '2027-01-01', '2027'],
  ['2026-01', '2028-05-01', '2028-01'],
])('The twelve months of year %s on %s: the next ones are %s', (year, today, next) => {
  const messages = described(year, today);
  expect(messages).toHaveLength(next === undefined ? 0 : 1);
  if (next === undefined) return;
  expect(messages[0]).toContain(`Write \`year: ${next}\``.replace('Write', 'write'));
  // The remedy works: today is in the next twelve months.
  expect(described(next, today)).toEqual([]);
});
