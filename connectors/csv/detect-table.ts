import { peek } from '../../src/core/peek.ts';
import { splitLines } from '../text/split-lines.ts';
import { bestOf, candidatesOf, HEADER_ROWS, QUOTES, SAMPLE_ROWS } from './candidates.ts';
import { columnNames } from './column-names.ts';
import { csvOptions } from './options.ts';
import type { Quoting } from './scan-quotes.ts';
import type { SplitRow } from './split-fields.ts';
import { isValue } from './traits.ts';

const defaults = csvOptions.parse({});

/** Text is no table if fewer rows have the same number of fields, … */
const LEAST_SHARE = 0.5;
/** … unless nearly all have at most as many as the header row. */
const LEAST_SHARE_BELOW = 0.9;

/** How a text without a sync is written. */
export interface DetectedTable extends Quoting {
  /** The header row: its line, and the number of rows above it. Undefined: the first row is data. */
  header?: { line: number; titles: number };
  /** The names in the header row, trimmed; without empty ones at the end, unless their columns have values. */
  names: readonly string[];
  /** The fields of a row. */
  width: number;
  /** How many of the sample's rows have so many fields, and how many have fewer than the header row. */
  rows: { fitting: number; short: number; all: number };
}

/**
 * Detects the delimiter, the quote and the header row of a table by its first rows: those that give most rows the same number
 * of fields. Undefined: the text is no table, or has one column only.
 */
export async function detectTable(text: string): Promise<DetectedTable | undefined> {
  const lines = splitLines(pieces(text), defaults.maxRecordBytes);
  // A row may have many lines.
  const { first } = await peek(lines, (batches) => batches.flat().length > SAMPLE_ROWS * 5);
  const { candidates } = await candidatesOf(first.flat(), defaults, [...QUOTES, undefined]);
  const { dialect, split: rows, width, fitting } = bestOf(candidates);
  if (width < 2) return undefined;
  const header = headerOf(rows, width);
  const data = rows.slice(header === undefined ? 0 : rows.indexOf(header) + 1);
  const names = namesIn(header?.fields ?? [], data);
  const short = data.filter(({ fields }) => fields.length < names.length).length;
  const below = data.filter(({ fields }) => fields.length > 1 && fields.length <= names.length).length;
  if (fitting < rows.length * LEAST_SHARE && below < data.length * LEAST_SHARE_BELOW) return undefined;
  return {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    header: header && { line: header.row.line, titles: rows.indexOf(header) },
    names,
    width,
    rows: { fitting, short, all: rows.length },
  };
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536);
}

/** Returns the first row with nearly all columns, if its fields are names. Above it may be titles. */
function headerOf(rows: readonly SplitRow[], width: number): SplitRow | undefined {
  const filled = (fields: readonly string[]) => fields.filter((field) => field.trim() !== '').length;
  const usual = Math.max(...rows.slice(0, HEADER_ROWS).map(({ fields }) => filled(fields)));
  const first = rows.find(({ fields }) => filled(fields) >= Math.max(2, Math.min(width, usual) * 0.6));
  if (first === undefined) return undefined;
  const names = columnNames(first.fields);
  if (names.some((name) => isValue(name))) return undefined;
  return first;
}

/** A few rows may have a note beside the table. */
function namesIn(header: readonly string[], data: readonly SplitRow[]): string[] {
  const isColumn = (_: string, index: number) =>
    data.filter(({ fields }) => fields[index]?.trim()).length > data.length * 0.1;
  const names = columnNames(header);
  return [...names, ...header.slice(names.length, header.findLastIndex(isColumn) + 1).map(() => '')];
}
