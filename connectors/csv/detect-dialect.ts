import { hasColumns } from './header.ts';
import { scanQuotes } from './scan-quotes.ts';
import { splitFields } from './split-fields.ts';
import type { Line } from './split-lines.ts';

/** A header row further down than this is not looked for. */
const SAMPLE_LINES = 20;

const DELIMITERS = [',', ';', '\t', '|'] as const;
const QUOTES = ['"', "'"] as const;

/** What the sync file says of how the CSV is written; what it leaves open is found out. */
export interface KnownDialect {
  delimiter?: string;
  /** null: there are none. */
  quote?: string | null;
  /** The number of the line that names the columns, or false where none does. */
  headerLine?: number | false;
  comment?: string;
  mappedFields: ReadonlySet<string>;
}

export interface DetectedDialect {
  delimiter: string;
  quote?: string;
  /** The line that reading starts at. What is before it is no data: `sep=`, blank lines, a title above the header. */
  firstLine: number;
  /** What was found out and is not what CSV mostly is, for people. */
  findings: string[];
}

/**
 * Settles how a CSV is written: as configured, as a first line `sep=;` says (a custom of spreadsheets), else by the first
 * row, among the first lines, that has all the columns that the sync maps; without one, as the first line looks.
 */
export function detectDialect(lines: readonly Line[], known: KnownDialect): DetectedDialect {
  const content = lines.filter(({ text }) => text.trim() !== '' && !(known.comment && text.startsWith(known.comment)));
  const announced = /^sep=(.)$/i.exec(content[0]?.text.trimEnd() ?? '')?.[1];
  const rows = announced === undefined ? content : content.slice(1);
  const delimiter = known.delimiter ?? announced;
  const header = headerAmong(rows, { ...known, delimiter }) ?? asItLooks(rows, { ...known, delimiter });
  return { ...header, findings: findingsOf(header, rows, known) };
}

type Header = Omit<DetectedDialect, 'findings'>;

/** The first row that has every mapped column, however it is delimited and quoted. */
function headerAmong(rows: readonly Line[], known: KnownDialect): Header | undefined {
  if (known.headerLine === false || known.mappedFields.size === 0) return undefined;
  for (const line of rows) {
    if (known.headerLine !== undefined && line.number !== known.headerLine) continue;
    for (const quote of quotesOf(known)) {
      for (const delimiter of delimitersOf(line, known, quote)) {
        if (names(line, delimiter, quote, known.mappedFields)) return { delimiter, quote, firstLine: line.number };
      }
    }
  }
  return undefined;
}

function names({ text, number }: Line, delimiter: string, quote: string | undefined, fields: ReadonlySet<string>) {
  if (scanQuotes(text, false, { delimiter, quote }) !== 'closed') return false;
  const dialect = { delimiter, quote, maxLength: text.length };
  const [parsed] = splitFields([{ line: number, text, terminated: true }], dialect);
  return hasColumns(parsed?.fields.map((cell) => cell.trim()) ?? [], fields);
}

function asItLooks(rows: readonly Line[], known: KnownDialect): Header {
  const first = rows.find(({ number }) => !known.headerLine || number === known.headerLine);
  const [quote] = quotesOf(known);
  const [delimiter = ','] = first ? delimitersOf(first, known, quote) : [known.delimiter];
  return { delimiter: delimiter ?? ',', quote, firstLine: known.headerLine || (first?.number ?? 1) };
}

function quotesOf({ quote }: KnownDialect): Array<string | undefined> {
  if (quote === undefined) return [...QUOTES];
  return [quote ?? undefined];
}

/** The one configured, or all that may be, those first that the line has most of outside of quotes. */
function delimitersOf({ text }: Line, { delimiter }: KnownDialect, quote: string | undefined): string[] {
  if (delimiter !== undefined) return [delimiter];
  const unquoted =
    quote === undefined
      ? text
      : text
          .split(quote)
          .filter((_, index) => index % 2 === 0)
          .join('');
  const count = (candidate: string) => unquoted.split(candidate).length;
  return [...DELIMITERS].sort((one, other) => count(other) - count(one));
}

function findingsOf({ delimiter, quote, firstLine }: Header, rows: readonly Line[], known: KnownDialect): string[] {
  const findings: string[] = [];
  if (known.delimiter === undefined && delimiter !== ',')
    findings.push(`the delimiter is ${JSON.stringify(delimiter)}`);
  if (known.quote === undefined && quote !== '"') findings.push(`the quote is ${quote}`);
  const above = rows.filter(({ number }) => number < firstLine).length;
  if (known.headerLine === undefined && above > 0) {
    findings.push(
      `the header row is line ${firstLine}; ${above === 1 ? 'the line' : `${above} lines`} above it left out`,
    );
  }
  return findings;
}

/** The first lines of a feed, enough to settle by, and all of its lines again. */
export async function takeSample(batches: AsyncGenerator<Line[]>) {
  const sample: Line[] = [];
  while (sample.length < SAMPLE_LINES) {
    const next = await batches.next();
    if (next.done) break;
    sample.push(...next.value);
  }
  return { sample: sample.slice(0, SAMPLE_LINES), all: replay(sample, batches) };
}

async function* replay(sample: Line[], batches: AsyncGenerator<Line[]>): AsyncGenerator<Line[]> {
  try {
    yield sample;
    yield* batches;
  } finally {
    await batches.return(undefined);
  }
}
