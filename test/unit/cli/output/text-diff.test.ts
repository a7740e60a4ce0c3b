import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDifference, diffText } from '../../../../src/cli/output/difference-lines.ts';

describe('Differences of two texts', () => {
  test('A difference shows only the changed lines', () => {
    expect(diffText('a\nb\nc\nd', 'a\nx\nd')).toEqual([
      { sign: '-', text: 'b' },
      { sign: '-', text: 'c' },
      { sign: '+', text: 'x' },
    ]);
    expect(diffText('a\nb', 'a\nb\nc')).toEqual([{ sign: '+', text: 'c' }]);
    expect(diffText('same', 'same')).toEqual([]);
  });

  test('A difference cuts a long line around its change', () => {
    const long = 'x'.repeat(500);
    expect(diffText(`${long} at 6 pm ${long}`, `${long} at 7 pm ${long}`)).toEqual([
      { sign: '-', text: `…${'x'.repeat(26)} at 6 pm ${'x'.repeat(26)}…` },
      { sign: '+', text: `…${'x'.repeat(26)} at 7 pm ${'x'.repeat(26)}…` },
    ]);
  });

  test('A difference counts the lines that it omits', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    expect(diffText('', lines).at(-1)).toEqual({ sign: '+', text: '… and 34 more lines' });
  });

  test('A difference is always short', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2000 });
    fc.assert(
      fc.property(text, text, (from, to) => {
        const lines = diffText(from, to);
        expect(lines.length).toBeLessThanOrEqual(14);
        expect(lines.length === 0).toBe(from.replaceAll('\r\n', '\n') === to.replaceAll('\r\n', '\n'));
        for (const line of lines) expect([...line.text].length).toBeLessThanOrEqual(222);
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
