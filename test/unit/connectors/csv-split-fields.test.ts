import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assembleRows } from '../../../connectors/csv/assemble-rows.ts';
import { csv } from '../../../connectors/csv/csv.ts';
import { splitFields } from '../../../connectors/csv/split-fields.ts';
import { splitLines } from '../../../connectors/text/split-lines.ts';
import { rounds } from '../../support/long.ts';
import { readFeed } from './read-feed.ts';

const quotings = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|', ', '),
  quote: fc.constantFrom('"', "'", undefined),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
});
type Quoting = typeof quotings extends fc.Arbitrary<infer Value> ? Value : never;

const parts = [
  '"',
  '""',
  "'",
  "''",
  '37°36\'37.8"N 121°2\'17.9"W',
  ',',
  '; ',
  ', ',
  '\t',
  '|',
  '#',
  '\uFEFF',
  'a',
  '😀',
  ' ',
];
const texts = (more: string[]) =>
  fc.array(fc.constantFrom(...parts, ...more), { maxLength: 6 }).map((some) => some.join(''));
const cells = fc.record({ text: texts(['\n', '\r', '\r\n']), mayQuote: fc.boolean() });
const tables = fc.array(fc.array(cells, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 });

test('Rows are read back as the fields that they were written from, each in its own row', async () => {
  await fc.assert(
    fc.asyncProperty(quotings, tables, async (quoting, table) => {
      const rows = table.map((row) => row.map((cell) => writtenIn(cell, quoting)));
      const kept = rows.filter(
        (row) =>
          row
            .map(({ text }) => text)
            .join(quoting.delimiter)
            .trim() !== '',
      );
      const text = rows.map((row) => row.map((cell) => cell.text).join(quoting.delimiter)).join(quoting.lineEnd);
      expect(await readBack(text, quoting)).toEqual(kept.map((row) => row.map(({ field }) => field)));
    }),
    { numRuns: rounds(300, 20_000) },
  );
});

test.each([
  ['a pair of quotes inside an unquoted field', '37°36\'37.8"N 121°2\'17.9"W,b', ['37°36\'37.8"N 121°2\'17.9"W', 'b']],
  ['a quoted-only field', '""', ['']],
  ['a delimiter at the end', 'a,', ['a', '']],
  ['an apostrophe', "it's,b", ["it's", 'b']],
  ['a byte order mark', '\uFEFFa,b', ['\uFEFFa', 'b']],
  ['line ends of all kinds in quotes', '"a\r\nb\nc\rd",e', ['a\r\nb\nc\rd', 'e']],
])('Reads %s', async (_, text, fields) => {
  expect(await readBack(`${text}\n1,2,3\n`, { delimiter: ',', quote: '"', lineEnd: '\n' })).toEqual([
    fields,
    ['1', '2', '3'],
  ]);
});

test('A row that is not well-formed has no effect on the rows beside it', () => {
  const rows = ['a,b', '"c', 'd,"e"'].map((text, index) => ({
    line: index + 1,
    text,
    terminated: true,
    isAfterGap: false,
  }));
  const split = splitFields(rows, { delimiter: ',', quote: '"' });
  expect(split.map(({ fields, row }) => ({ fields, line: row.line, isRead: row.problem === undefined }))).toEqual([
    { fields: ['a', 'b'], line: 1, isRead: true },
    { fields: [], line: 2, isRead: false },
    { fields: ['d', 'e'], line: 3, isRead: true },
  ]);
});

test('Rows that csv-parse would join are split one by one', () => {
  const rows = ['a,', 'b', 'c'].map((text, index) => ({ line: index + 1, text, terminated: true, isAfterGap: false }));
  const split = splitFields(rows, { delimiter: ',\n' });
  expect(split).toEqual(rows.map((row) => ({ row, fields: [row.text] })));
});

test('A row that csv-parse cannot split is rejected by its line, and the rows beside it are read', async () => {
  // In the bytes that csv-parse compares, half a character is the same as a replacement character.
  const options = { delimiter: ',', quote: '\uD83D' };
  const { records, rejections } = await readFeed(csv, 'id,title\n1,x\n2,\uFFFD\n3,y\n', { options });
  expect(records).toEqual([
    { at: 'line 2', fields: { id: '1', title: 'x' } },
    { at: 'line 4', fields: { id: '3', title: 'y' } },
  ]);
  expect(rejections).toEqual([
    {
      at: 'line 3',
      code: 'FF_RECORD_MALFORMED',
      reason: 'csv-parse cannot split it into fields',
      fields: { row: '2,\uFFFD' },
    },
  ]);
});

/** Writes a cell: quoted if it must be, or may be. Without a quote, characters that would need it are left out. */
function writtenIn({ text, mayQuote }: { text: string; mayQuote: boolean }, { delimiter, quote }: Quoting) {
  // Of a delimiter with a blank, the first character at the end of a field would start it with the blank of the next one.
  const isPlain = !/[\r\n]/.test(text) && !text.includes(delimiter) && !text.endsWith(delimiter.charAt(0));
  if (quote === undefined) {
    const field = isPlain ? text : text.replaceAll(/[\r\n]/g, '').replaceAll(delimiter.charAt(0), '');
    return { field, text: field };
  }
  const isPaired = text.split(quote).length % 2 === 1 && !text.trimStart().startsWith(quote);
  if (isPlain && isPaired && !mayQuote) return { field: text, text };
  return { field: text, text: quote + text.replaceAll(quote, quote + quote) + quote };
}

async function readBack(text: string, { delimiter, quote }: Quoting) {
  const dialect = { delimiter, quote, firstLine: 1, maxLength: 100_000 };
  const fields: (readonly string[])[] = [];
  for await (const rows of assembleRows(splitLines(pieces(text), 100_000), dialect, () => undefined)) {
    for (const split of splitFields(rows, dialect)) fields.push(split.fields);
  }
  return fields;
}

async function* pieces(text: string) {
  for (let at = 0; at < text.length; at += 50) yield text.slice(at, at + 50);
}
