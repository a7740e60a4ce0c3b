import type { Line } from '../text/split-lines.ts';
import { assembleRows, type Dialect, type Row } from './assemble-rows.ts';
import type { CsvOptions } from './options.ts';
import type { Quoting } from './scan-quotes.ts';
import { isBlank, type SplitRow, splitFields } from './split-fields.ts';

export const DELIMITERS = [',', ';', '\t', '|'];
export const QUOTES = ['"', "'"];

/** So many rows decide. */
export const SAMPLE_ROWS = 200;
/** A header row is among so many rows. */
export const HEADER_ROWS = 20;

/** The rows of the beginning of a text, in one of the dialects that it may be written in. */
export interface DialectCandidate {
  /** Its first line is the one after `sep=`, or the line of the header row if the options name that. */
  dialect: Dialect;
  rows: readonly Row[];
  /** The line of a quote that is not closed among the lines: those after it may be parts of one row. */
  unclosedLine: number;
}

/** A candidate with its fields. */
export interface JudgedCandidate extends DialectCandidate {
  /** The rows that can be read and have values. */
  split: readonly SplitRow[];
  /** The number of fields that most rows have. */
  width: number;
  /** The number of rows with so many fields. */
  fitting: number;
  score: number;
}

/**
 * Assembles the rows in every dialect that the options leave open. A first line `sep=;` (a custom of spreadsheets) names the
 * delimiter.
 * @returns the candidates, those of the first quote first, and the lines that have data
 */
export async function candidatesOf(
  lines: readonly Line[],
  { header, delimiter, comment, maxRecordBytes: maxLength }: CsvOptions,
  quotes: readonly (string | undefined)[],
): Promise<{ candidates: DialectCandidate[]; content: readonly Line[] }> {
  const written = lines.filter(({ text }) => text.trim() !== '' && !(comment && text.startsWith(comment)));
  const announced = /^sep=(\S|\t)\s*$/i.exec(written[0]?.text ?? '')?.[1];
  const content = announced === undefined ? written : written.slice(1);
  const named = typeof header === 'object' && 'line' in header ? header.line : header;
  const firstLine = typeof named === 'number' ? named : (content[0]?.number ?? 1);
  const quotings = quotes.flatMap((quote): Quoting[] => {
    if (delimiter !== undefined) return [{ delimiter, quote }];
    const delimiters = announced === undefined ? DELIMITERS : [announced];
    return withBlanks(delimiters, content, quote).map((one) => ({ delimiter: one, quote }));
  });
  const dialects = quotings.map((quoting) => ({ ...quoting, comment, firstLine, maxLength }));
  return { candidates: await Promise.all(dialects.map((dialect) => assemble(lines, dialect))), content };
}

/** Adds a blank to the delimiters that have one after them wherever they are outside quotes: `id, title, date`. */
function withBlanks(delimiters: readonly string[], content: readonly Line[], quote: string | undefined): string[] {
  const texts = content.map(({ text }) =>
    (quote === undefined ? [text] : text.split(quote)).filter((_, index) => index % 2 === 0).join(''),
  );
  const isSpaced = (one: string) => texts.every((text) => text.split(one).length === text.split(`${one} `).length);
  const isUsed = (one: string) => texts.some((text) => text.includes(one));
  return delimiters.map((one) => (isUsed(one) && isSpaced(one) ? `${one} ` : one));
}

async function assemble(lines: readonly Line[], dialect: Dialect): Promise<DialectCandidate> {
  const [complete = [], ...others] = await Array.fromAsync(assembleRows([lines], dialect, () => undefined));
  const rows = [complete, ...others].flat().slice(0, SAMPLE_ROWS);
  return { dialect, rows, unclosedLine: others[0]?.[0]?.line ?? Number.POSITIVE_INFINITY };
}

/** Splits the rows of candidates into fields, and returns the candidate that fits them best. Of equals, the first. */
export function bestOf(candidates: readonly DialectCandidate[]): JudgedCandidate {
  return candidates.map(judge).reduce((best, other) => (other.score > best.score ? other : best));
}

/** The more rows have the same number of fields, and the more fields, the better a dialect fits. */
function judge(candidate: DialectCandidate): JudgedCandidate {
  const { dialect, rows } = candidate;
  const split = splitFields(rows, dialect).filter(({ row, fields }) => !row.problem && !isBlank(fields));
  const counts = new Map<number, number>();
  for (const { fields } of split) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [[width, fitting] = [1, 0]] = [...counts].toSorted(([a, most], [b, other]) => other - most || b - a);
  const share = fitting / Math.max(1, rows.length);
  // A column of decimal commas splits all rows but the header.
  const startsWell = split.slice(0, HEADER_ROWS).find(({ fields }) => fields.length > 1)?.fields.length === width;
  const whole = dialect.quote !== '"' ? 1 - split.filter(isTorn).length / Math.max(1, split.length) : 1;
  // Of candidates that fit as well, the usual one.
  const doubt = dialect.quote === '"' ? 0 : opensFields(rows, dialect) ? 0.01 : 0.02;
  // Rows of one field show no delimiter.
  const score = width > 1 ? share ** 2 * Math.log2(width) * (startsWell ? 1 : 0.5) * whole - doubt : -1;
  return { ...candidate, split, width, fitting, score };
}

/** Whether a row, split regardless of quotes, has the beginning of a quoted field without its end. */
function isTorn({ fields }: SplitRow): boolean {
  return fields.some((field) => /^\s*"[^"]*$/.test(field));
}

function opensFields(rows: readonly Row[], { delimiter, quote }: Quoting): boolean {
  if (quote === undefined) return true;
  return rows.some(({ text }) => text.startsWith(quote) || text.includes(delimiter + quote));
}
