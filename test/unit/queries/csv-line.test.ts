import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../../src/alerts/digests/csv-line.ts';

describe('CSV for spreadsheets', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-cmd|calc', "'-cmd|calc"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1+1', "'  =1+1"],
    ['\t=1', '"\'\t=1"'],
    ['\rx', '"\'\rx"'],
    ['＝1+1', "'＝1+1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('The text %j is no longer a formula', (cell, written) => expect(csvLine([cell])).toBe(`${written}\r\n`));

  test.each(['-5', '+5', '-1,234.50', '-12%', '2027-03-01', 'a=b', 'x@example.org', ''])('%j stays', (cell) => {
    expect(parse(csvLine([cell, 'x']))).toEqual([[cell, 'x']]);
  });

  test('Every other text is unchanged, and no cell begins a formula', () => {
    const cells = fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(cells, (given) => {
        const [read = []]: string[][] = parse(csvLine(given), { relax_column_count: false });
        expect(read).toHaveLength(given.length);
        for (const [index, cell] of read.entries()) {
          expect([given[index], `'${given[index]}`]).toContain(cell);
          expect(cell).not.toMatch(/^\s*[=@]/);
        }
      }),
    );
  });
});
