import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedIn, describeDifference } from '../../../../src/cli/output/difference-lines.ts';

describe('The change of a long text', () => {
  test('is the part that differs, from the first word to the last one', () => {
    expect(changedIn('a\nb\nc\nd', 'a\nx\nd')).toBe('a b c d');
    expect(changedIn('Sea charts, read aloud', 'Sea charts, drawn')).toBe('Sea charts, read aloud');
  });

  test('is cut around the part', () => {
    const long = 'x'.repeat(500);
    const text = (hour: number) => `${long} at ${hour} pm ${long}`;
    expect(changedIn(text(6), text(7))).toBe(`…${'x'.repeat(26)} at 6 pm ${'x'.repeat(26)}…`);
  });

  test('is always short, and empty only of an empty text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2000 });
    fc.assert(
      fc.property(text, text, (from, to) => {
        expect(changedIn(from, to).length).toBeLessThanOrEqual(222);
        expect(describeDifference({ attribute: 'a', from, to }).split('\n').length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

test('Times are shown as people read them, unless they read the same', () => {
  const time = { start: '18:30:00', end: '20:00:00', type: 'timed' };
  const longer = { ...time, end: '21:00:00' };
  expect(describeDifference({ attribute: 'time', from: time, to: longer })).toBe('time: 18:30 – 20:00 → 18:30 – 21:00');
  expect(describeDifference({ attribute: 'time', to: { start: '00:00:00', end: '23:59:59' } })).toBe('time: all day');
  const exact = { ...time, end: '20:00:30' };
  expect(describeDifference({ attribute: 'time', from: time, to: exact })).toContain('"20:00:30"');
  expect(describeDifference({ attribute: 'days', from: { start: '2027-03-01' }, to: null })).toContain('"start"');
});
