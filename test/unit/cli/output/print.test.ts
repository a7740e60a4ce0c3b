import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, outputWidth, wrap } from '../../../../src/cli/output/print.ts';
import { textTable } from '../../../../src/cli/output/tables.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 });
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

describe('The width of the output', () => {
  const stream = (columns?: number) => ({ columns }) as NodeJS.WriteStream;

  test('is that of the terminal, and has no limit in a pipe', () => {
    expect(outputWidth(stream(100))).toBe(100);
    expect(outputWidth(stream())).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('Wrapped text', () => {
  test('is indented more than the line that it continues', () => {
    expect(wrap('  T1: one two three\nshort', 12)).toBe('  T1: one\n    two\n    three\nshort');
  });

  test('does not break a word that is too long', () => {
    expect(wrap('see https://example.edu/calendar now', 12)).toBe('see\n  https://example.edu/calendar\n  now');
  });

  test('keeps its words and stays within the width', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 40, max: 120 }), (given, width) => {
        const wrapped = wrap(given.join(' '), width);
        expect(wordsOf(wrapped)).toEqual(given);
        for (const line of wrapped.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  test('breaks a script without spaces anywhere, and counts its characters as they are shown', () => {
    expect(wrap('T1: 東京国立博物館 👩‍👩‍👧 open', 12)).toBe('T1: 東京国立\n  博物館 👩‍👩‍👧\n  open');
    expect(columnsOf('e\u0301👩‍👩‍👧館')).toBe(5);
  });

  test('does not count colours', () => {
    const red = '\u001b[31mred\u001b[39m';
    expect(wrap(`${red} ${red} ${red}`, 11)).toBe(`${red} ${red} ${red}`);
  });
});

describe('A table', () => {
  test('aligns numbers at the right and has no blanks at the end of a line', () => {
    const columns = [
      { heading: 'sync', cells: ['talks', 'staff members'] },
      { heading: 'seconds', align: 'right' as const, cells: ['0.1', '12.0'] },
      { heading: 'records', cells: ['2 read', ''] },
    ];
    expect(textTable(columns).split('\n')).toEqual([
      'SYNC           SECONDS  RECORDS',
      'talks              0.1  2 read',
      'staff members     12.0',
    ]);
  });

  test('aligns wide characters, and ends a colour with each line of a cell', () => {
    const columns = [
      { heading: 'title', cells: ['東京国立博物館', 'Café 🎹'] },
      { heading: 'result', cells: ['\u001b[1mone two\u001b[22m', 'c'] },
    ];
    expect(textTable(columns, 13).split('\n')).toEqual([
      'TITLE  RESULT',
      '東京   \u001b[1mone\u001b[0m',
      '国立   \u001b[1mtwo\u001b[22m',
      '博物',
      '館',
      'Café   c',
      '🎹',
    ]);
  });

  test('never exceeds the width and loses no word, however long', () => {
    const cells = fc.tuple(words, fc.stringMatching(/^([a-z]{1,200}|[a-z京🎹]{1,80})$/u), words);
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 5 }), fc.integer({ min: 40, max: 120 }), (rows, width) => {
        const columns = ['first', 'second', 'third'].map((heading, index) => ({
          heading,
          cells: rows.map((row) => [row[index] ?? ''].flat().join(' ')),
        }));
        const table = textTable(columns, width);
        for (const line of table.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        const letters = (text: string) => [...text.replaceAll(/\s/g, '')].toSorted().join('');
        expect(letters(table)).toBe(
          letters(columns.map(({ heading, cells: [...all] }) => [heading.toUpperCase(), ...all].join('')).join('')),
        );
      }),
    );
  });
});
