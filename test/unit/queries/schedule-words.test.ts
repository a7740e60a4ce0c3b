import { expect, test } from 'vitest';
import { describeSchedule } from '../../../src/queries/syncs/overview.ts';

const SITE = 'America/New_York';

test.each([
  [900_000, 'every 15 minutes'],
  [3_600_000, 'every hour'],
  [172_800_000, 'every 2 days'],
  [90_000, 'every 90 seconds'],
  [1_500, 'every 1500 milliseconds'],
])('An interval of %i ms is in words', (everyMs, words) => {
  expect(describeSchedule({ everyMs }, SITE)).toBe(words);
});

test.each([
  ['30 6 * * *', SITE, 'every day at 06:30'],
  ['0  6 * * 1-5', SITE, 'Monday to Friday at 06:00'],
  ['0 6 * * *', 'Europe/Paris', 'every day at 06:00 (Europe/Paris)'],
  ['*/15 * * * *', 'Europe/Paris', 'every 15 minutes'],
  ['*/7 * * * *', SITE, 'cron */7 * * * *'],
  ['*/10 6-18 * * *', SITE, 'cron */10 6-18 * * *'],
])('The times of %s in %s', (cron, timezone, words) => {
  expect(describeSchedule({ cron, timezone }, SITE)).toBe(words);
});
