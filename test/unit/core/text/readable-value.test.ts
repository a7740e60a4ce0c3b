import { expect, test } from 'vitest';
import { readableText } from '../../../../src/core/text/readable-value.ts';

test.each([
  ['2027-03-01', 'Mon 2027-03-01'],
  ['2035-02-30', '2035-02-30'],
  ['2035-13-01', '2035-13-01'],
])('A day that exists has its weekday: %s', (day, text) => expect(readableText(day)).toBe(text));
