import { type Line, splitLines } from '../text/split-lines.ts';
import { assembleRows, type Row } from './assemble-rows.ts';
import { DELIMITERS, findSpaced, QUOTES } from './detect-dialect.ts';
import { csvOptions } from './options.ts';
import { splitFields } from './split-fields.ts';

/** So many rows decide. */
const SAMPLE_ROWS = 200;
/** A header is searched among so many rows. */
const HEADER_ROWS = 20;
const MAX_LENGTH = csvOptions.parse({}).maxRecordBytes;

/** Text is no table if fewer rows have the same number of fields, … */
const LEAST_SHARE = 0.5;
/** … unless nearly all have at most as many as the header row. */
const LEAST_SHARE_BELOW = 0.9;

/** How a text without a sync is written. */
export interface DetectedTable {
  delimiter: string;
  /** Undefined: quotes are ordinary characters. */
  quote?: string;
  /** The header row: its line, and the number of rows above it. Undefined: the first row is data. */
  header?: { line: number; titles: number };
  /** The names in the header row, trimmed; without empty ones at the end, unless their columns have values. */
  names: readonly string[];
  /** The fields of a row. */
  width: number;
  /** How many of the sample's rows have so many fields, and how many have fewer than the header row. */
  rows: { fitting: number; short: number; all: number };
}

type Format = Pick<DetectedTable, 'delimiter' | 'quote'>;

interface SplitRow {
  line: number;
  fields: readonly string[];
}

/**
 * Detects the delimiter, the quote and the header row of a table by its first rows: those that give most rows the same number
 * of fields. Undefined: the text is no table, or has one column only.
 */
export async function detectTable(text: string): Promise<DetectedTable | undefined> {
  const lines = (await firstLines(text)).filter((line) => line.text.trim() !== '');
  const announced = /^sep=(.)$/i.exec(lines[0]?.text.trimEnd() ?? '')?.[1];
  const content = announced === undefined ? lines : lines.slice(1);
  const delimiters = announced === undefined ? DELIMITERS : [announced];
  const formats = [...QUOTES, undefined].flatMap((quote) => delimiters.map((delimiter) => ({ delimiter, quote })));
  const judged = await Promise.all(formats.map((format) => judge(content, format)));
  const [best] = judged.filter(({ width }) => width > 1).toSorted((a, b) => b.score - a.score);
  if (best === undefined) return undefined;
  const { format, width } = best;
  const isSpaced = findSpaced(content, format.quote).includes(format.delimiter);
  const spaced = isSpaced ? await judge(content, { ...format, delimiter: `${format.delimiter} ` }) : undefined;
  const { rows, format: chosen, fitting } = spaced && spaced.score >= best.score ? spaced : best;
  const header = headerOf(rows, width);
  const data = rows.slice(header === undefined ? 0 : rows.indexOf(header) + 1);
  const names = namesIn(header?.fields ?? [], data);
  const short = data.filter(({ fields }) => fields.length < names.length).length;
  const below = data.filter(({ fields }) => fields.length > 1 && fields.length <= names.length).length;
  if (fitting < rows.length * LEAST_SHARE && below < data.length * LEAST_SHARE_BELOW) return undefined;
  return {
    ...chosen,
    header: header && { line: header.line, titles: rows.indexOf(header) },
    names,
    width,
    rows: { fitting, short, all: rows.length },
  };
}

async function firstLines(text: string): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const batch of splitLines(pieces(text), MAX_LENGTH)) {
    lines.push(...batch);
    // A row may have many lines.
    if (lines.length > SAMPLE_ROWS * 5) break;
  }
  return lines;
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536);
}

/** Splits the lines in a format. The more rows have the same number of fields, and the more fields, the better it fits. */
async function judge(lines: Line[], format: Format) {
  const dialect = { ...format, firstLine: 1, maxLength: MAX_LENGTH };
  const assembled: Row[] = [];
  for await (const rows of assembleRows([lines], dialect, () => undefined)) assembled.push(...rows);
  const sound = assembled.slice(0, SAMPLE_ROWS).filter(({ problem }) => problem === undefined);
  const rows = splitFields(sound, dialect)
    .map(({ row, fields }): SplitRow => ({ line: row.line, fields }))
    .filter(({ fields }) => fields.some((field) => field.trim() !== ''));
  const counts = new Map<number, number>();
  for (const { fields } of rows) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [[width, fitting] = [0, 0]] = [...counts].toSorted(([a, most], [b, other]) => other - most || b - a);
  const share = fitting / Math.max(1, Math.min(assembled.length, SAMPLE_ROWS));
  // A column of decimal commas splits all rows but the header.
  const startsWell = rows.slice(0, HEADER_ROWS).find(({ fields }) => fields.length > 1)?.fields.length === width;
  const whole = format.quote !== '"' ? 1 - rows.filter(isTorn).length / Math.max(1, rows.length) : 1;
  const score = share ** 2 * Math.log2(width) * (startsWell ? 1 : 0.5) * whole;
  // Of formats that fit as well, the usual one.
  const doubt = format.quote === '"' ? 0 : opensFields(lines, format) ? 0.01 : 0.02;
  return { format, rows, width, fitting, score: score - doubt };
}

/** Whether a row, split regardless of quotes, has the beginning of a quoted field without its end. */
function isTorn({ fields }: SplitRow): boolean {
  return fields.some((field) => /^\s*"[^"]*$/.test(field));
}

function opensFields(lines: readonly Line[], { delimiter, quote }: Format): boolean {
  if (quote === undefined) return true;
  return lines.some(({ text }) => text.startsWith(quote) || text.includes(delimiter + quote));
}

/** Returns the first row with nearly all columns, if its fields are names. Above it may be titles. */
function headerOf(rows: readonly SplitRow[], width: number): SplitRow | undefined {
  const filled = (fields: readonly string[]) => fields.filter((field) => field.trim() !== '').length;
  const usual = Math.max(...rows.slice(0, HEADER_ROWS).map(({ fields }) => filled(fields)));
  const first = rows.find(({ fields }) => filled(fields) >= Math.max(2, Math.min(width, usual) * 0.6));
  if (first === undefined) return undefined;
  const names = trimmed(first.fields);
  if (names.some((name) => isValue(name))) return undefined;
  return first;
}

/** Whether a text is data, and no name of a column: a number, an e-mail address, a URL, a date, a time. */
function isValue(text: string): boolean {
  return (
    /^[-+]?\d+([.,]\d+)?$/.test(text) ||
    /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text) ||
    /^(https?:\/\/|www\.)\S+$/i.test(text) ||
    /^\d{1,4}[-./]\s?\d{1,2}[-./]\s?\d{2,4}\b/.test(text) ||
    /^\d{1,2}:\d{2}/.test(text) ||
    /^\d{1,2}\.?\s\p{L}{3,}\.?\s\d{4}\b/u.test(text) ||
    /^\p{L}{3,}\.?\s\d{1,2},\s\d{4}\b/u.test(text)
  );
}

/** A few rows may have a note beside the table. */
function namesIn(header: readonly string[], data: readonly SplitRow[]): string[] {
  const isColumn = (_: string, index: number) =>
    data.filter(({ fields }) => fields[index]?.trim()).length > data.length * 0.1;
  return header
    .map((name) => name.trim())
    .slice(0, Math.max(trimmed(header).length, header.findLastIndex(isColumn) + 1));
}

function trimmed(fields: readonly string[]): string[] {
  const names = fields.map((field) => field.trim());
  while (names.at(-1) === '') names.pop();
  return names;
}
