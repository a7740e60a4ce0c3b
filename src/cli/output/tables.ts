import { createRequire } from 'node:module';
import type Table from 'cli-table3';
import type { CharName } from 'cli-table3';
import { columnsOf, outputWidth } from './print.ts';

const require = createRequire(import.meta.url);
const GAP = '  ';
/** Replaces a space at which no line breaks, until the table is laid out. */
const NO_BREAK = '\u2420';
const LINES: readonly CharName[] = [
  ...(['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'] as const),
  ...(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const),
];

type Column = { heading: string; align?: 'left' | 'right'; cells: readonly string[] };

/** Lays out a table without lines. If it is wider than the output, its widest columns are wrapped at words. */
export function textTable(columns: readonly Column[], width = outputWidth()): string {
  const texts = columns.map(({ heading, cells }) => [heading.toUpperCase(), ...cells]);
  const widths = fitWidths(texts, width - GAP.length * (columns.length - 1));
  const TextTable = require('cli-table3') as typeof Table;
  const table = new TextTable({
    chars: { ...Object.fromEntries(LINES.map((line) => [line, ''])), middle: GAP },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: widths,
    wordWrap: true,
  });
  const [headings = []] = texts;
  table.push(...headings.map((_, row) => texts.map((column, index) => breakWords(column[row] ?? '', widths[index]))));
  return table.toString().replaceAll(NO_BREAK, ' ').replace(/ +$/gm, '');
}

/** Keeps a text of a cell on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK);
}

/** Narrows the widest column until all fit, one that would break words only if there is no other; null: as wide as its text. */
function fitWidths(texts: readonly string[][], room: number): Array<number | null> {
  const columns = texts.map((column) => {
    const natural = Math.max(...column.map(columnsOf));
    return {
      natural,
      width: natural,
      longestWord: Math.max(...column.flatMap((text) => text.split(/\s+/)).map(columnsOf)),
    };
  });
  for (let excess = columns.reduce((sum, { width }) => sum + width, -room); excess > 0; excess -= 1) {
    const wrappable = columns.filter(({ width, longestWord }) => width > longestWord);
    const [widest] = (wrappable.length > 0 ? wrappable : columns).toSorted((a, b) => b.width - a.width);
    if (widest) widest.width -= 1;
  }
  return columns.map(({ natural, width }) => (width < natural ? width : null));
}

function breakWords(text: string, width: number | null = null): string {
  return width === null ? text : text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'g'), '$& ');
}
