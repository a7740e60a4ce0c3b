import { nameOf } from './detect-dialect.ts';
import type { Quoting } from './scan-quotes.ts';
import { isBlank, type SplitRow } from './split-fields.ts';

/** The shape of the rows of a feed. */
export interface Table {
  columns: readonly string[];
  /** The number of fields of a row. Those after the last column are empty. */
  width: number;
}

/** So many rows of the sample must have the same number of fields, and this share of them. */
const LEAST_ROWS = 3;
const LEAST_SHARE = 0.9;

/** Returns the number of fields that nearly all rows have. Undefined: they differ. */
export function usualWidth(rows: readonly SplitRow[]): number | undefined {
  const widths = rows.map(({ fields }) => fields.length);
  const isUsual = (width: number) => widths.filter((other) => other === width).length >= widths.length * LEAST_SHARE;
  return widths.length < LEAST_ROWS ? undefined : widths.find(isUsual);
}

/**
 * Returns why the fields of a row cannot be assigned to the columns. Undefined: they can. Fields after the last column must
 * be empty, and as many as usual: others may result from a delimiter inside an unquoted value, which shifts the values after
 * it. A row without them must have a value in its last column, because it may lack a delimiter elsewhere.
 */
export function raggedness(fields: readonly string[], table: Table, { delimiter, quote }: Quoting): string | undefined {
  const { width } = table;
  const { length } = table.columns;
  if (fields.length === length && (width === length || fields.at(-1)?.trim() !== '')) return undefined;
  if (fields.length === width && isBlank(fields.slice(length))) return undefined;
  const expected =
    width === length ? `the header has ${length}` : `the header has ${length}, and rows usually ${width}`;
  const remedy = `; enclose values that contain the delimiter (${nameOf(delimiter)}) or a line break in quotes`;
  const row = fields.join(delimiter).slice(0, 100);
  return `the row has ${fields.length} fields, but ${expected}${quote === undefined ? '' : remedy}: ${row}`;
}
