import type { Line } from '../text/split-lines.ts';
import type { Dialect } from './assemble-rows.ts';
import { missingColumns } from './header.ts';
import type { CsvOptions } from './options.ts';
import { scanQuotes } from './scan-quotes.ts';
import { splitFields } from './split-fields.ts';

/** The header row is searched in so many lines. */
export const SAMPLE_LINES = 20;

export const DELIMITERS = [',', ';', '\t', '|'];
export const QUOTES = ['"', "'"];

type Format = Pick<Dialect, 'delimiter' | 'quote' | 'firstLine'>;

/**
 * Detects what the options leave open: from a first line `sep=;` (a custom of spreadsheets), then from the first row among
 * the sample that has all mapped columns; if there is none, from the characters of the first line.
 * @returns the dialect, and findings for people: what is detected and unusual
 */
export function detectDialect(
  sample: readonly Line[],
  options: CsvOptions,
  mappedFields: ReadonlySet<string>,
): { dialect: Dialect; findings: string[] } {
  const { quote, comment, maxRecordBytes } = options;
  const header = typeof options.header === 'object' && 'line' in options.header ? options.header.line : options.header;
  const content = sample.filter(({ text }) => text.trim() !== '' && !(comment && text.startsWith(comment)));
  const announced = /^sep=(.)$/i.exec(content[0]?.text.trimEnd() ?? '')?.[1];
  const delimiter = options.delimiter ?? announced;
  const quotes = quote === undefined ? QUOTES : [quote === 'none' ? undefined : quote];
  const rows = announced === undefined ? content : content.slice(1);
  const headers = typeof header === 'number' ? rows.filter(({ number }) => number === header) : rows;

  const spacedDelimiters = new Map(quotes.map((each) => [each, findSpaced(rows, each)]));

  const hasOwnNames = typeof options.header === 'object';
  const format = (hasOwnNames ? undefined : formatOfMappedHeader()) ?? formatOfFirstLine();
  const dialect = { ...format, comment, maxLength: maxRecordBytes };
  return { dialect, findings: findingsOf(format, rows, options) };

  function formatOfMappedHeader(): Format | undefined {
    if (mappedFields.size === 0) return undefined;
    const formats = headers.flatMap((line) =>
      quotes.flatMap((each) =>
        delimitersOf(line.text, each).map((one) => ({
          line,
          format: { delimiter: one, quote: each, firstLine: line.number },
        })),
      ),
    );
    return formats.find(({ line, format }) => hasMappedColumns(line, format))?.format;
  }

  function hasMappedColumns({ text, number }: Line, candidate: Format): boolean {
    if (scanQuotes(text, false, candidate) !== 'closed') return false;
    const [split] = splitFields([{ line: number, text, terminated: true }], candidate);
    return missingColumns(split?.fields.map((field) => field.trim()) ?? [], mappedFields).length === 0;
  }

  function formatOfFirstLine(): Format {
    const [first] = headers;
    const firstLine = first?.number ?? (typeof header === 'number' ? header : 1);
    return { delimiter: delimitersOf(first?.text ?? '', quotes[0])[0] ?? ',', quote: quotes[0], firstLine };
  }

  /** The known delimiter, or all candidates, sorted by how often the line has them outside quotes. */
  function delimitersOf(text: string, each: string | undefined): string[] {
    if (delimiter !== undefined) return [delimiter];
    const unquoted = withoutQuoted(text, each);
    const count = (candidate: string) => unquoted.split(candidate).length;
    const spaced = spacedDelimiters.get(each);
    return DELIMITERS.toSorted((one, other) => count(other) - count(one)).map((one) =>
      spaced?.includes(one) ? `${one} ` : one,
    );
  }
}

/** Finds the delimiters that have a blank after them wherever they are outside quotes: `id, title, date`. */
export function findSpaced(rows: readonly Line[], quote: string | undefined): string[] {
  const texts = rows.map(({ text }) => withoutQuoted(text, quote));
  const isSpaced = (one: string) => texts.every((text) => text.split(one).length === text.split(`${one} `).length);
  return DELIMITERS.filter((one) => isSpaced(one) && texts.some((text) => text.includes(one)));
}

function withoutQuoted(text: string, quote: string | undefined): string {
  if (quote === undefined) return text;
  return text
    .split(quote)
    .filter((_, index) => index % 2 === 0)
    .join('');
}

function findingsOf({ delimiter, quote, firstLine }: Format, rows: readonly Line[], options: CsvOptions): string[] {
  const findings: string[] = [];
  if (options.delimiter === undefined && delimiter !== ',') {
    findings.push(`delimiter: ${nameOf(delimiter)}`);
  }
  if (options.quote === undefined && quote !== '"') findings.push(`quote: ${quote}`);
  const skipped = rows.filter(({ number }) => number < firstLine).length;
  if (options.header === true && skipped > 0) {
    findings.push(`header row: line ${firstLine} (skipped ${skipped} ${skipped === 1 ? 'line' : 'lines'} above it)`);
  }
  return findings;
}

/** Returns a delimiter as messages name it. */
export function nameOf(delimiter: string): string {
  if (delimiter === '\t') return 'tab';
  return delimiter.length > 1 ? `"${delimiter}"` : delimiter;
}
