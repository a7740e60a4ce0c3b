import { columnsOf, outputWidth, wrap } from './print.ts';

const GAP = '  ';
/** A space at which no line breaks. */
const NO_BREAK = '\u00A0';

const COLOUR = /\p{Cc}\[([\d;]*)m/gu;
/** Codes that end a colour, bold or another style. */
const ENDS = /^(0?|2\d|39|49)$/;
const END = '\u001b[0m';

export interface TableColumn {
  heading: string;
  align?: 'left' | 'right';
  cells: readonly string[];
}

/** Lays out a table without lines. If the table is wider than the output, its widest columns are wrapped at words. */
export function textTable(columns: readonly TableColumn[], width = outputWidth()): string {
  const texts = columns.map(({ heading, cells }) => [heading.toUpperCase(), ...cells]);
  const widths = fitWidths(texts, width - GAP.length * (columns.length - 1));
  const [headings = []] = texts;
  const rows = headings.map((_, row) => {
    const cells = texts.map((column, index) => linesOf(column[row] ?? '', widths[index] ?? 0));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_line, line) => {
      return cells
        .map((lines, index) => layPart(lines[line] ?? '', index))
        .join(GAP)
        .trimEnd();
    });
  });
  return rows.flat().join('\n').replaceAll(NO_BREAK, ' ');

  function layPart(text: string, index: number): string {
    const blank = ' '.repeat(Math.max(0, (widths[index] ?? 0) - columnsOf(text)));
    return columns[index]?.align === 'right' ? `${blank}${text}` : `${text}${blank}`;
  }
}

/** Keeps a text of a cell on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK);
}

/** Returns the lines of a cell. A colour ends at the end of each line, so that the next column does not have the colour. */
function linesOf(cell: string, width: number): string[] {
  let open = '';
  return wrap(cell, width, { breaksWords: true })
    .split('\n')
    .map((line) => {
      const begun = `${open}${line}`;
      for (const [code, parameters = ''] of line.matchAll(COLOUR)) open = ENDS.test(parameters) ? '' : `${open}${code}`;
      return open === '' ? begun : `${begun}${END}`;
    });
}

/** Narrows the widest column, step by step, until all columns fit. Words are broken only if no column can be narrowed otherwise. */
function fitWidths(texts: readonly string[][], room: number): number[] {
  const columns = texts.map((column) => ({
    width: Math.max(...column.map(columnsOf)),
    longestWord: Math.max(...column.flatMap((text) => text.split(/[ \n]+/)).map(columnsOf)),
  }));
  for (let excess = columns.reduce((sum, { width }) => sum + width, -room); excess > 0; excess -= 1) {
    const wrappable = columns.filter(({ width, longestWord }) => width > longestWord);
    const [widest] = (wrappable.length > 0 ? wrappable : columns).toSorted((a, b) => b.width - a.width);
    if (widest) widest.width -= 1;
  }
  return columns.map(({ width }) => width);
}
