import type { Line } from '../text/split-lines.ts';
import type { Dialect } from './assemble-rows.ts';
import { bestOf, candidatesOf, type DialectCandidate, QUOTES } from './candidates.ts';
import { columnNames, nameKey } from './column-names.ts';
import { headerProblem, missingColumns } from './header.ts';
import { isHeaderLike } from './judge-row.ts';
import type { CsvOptions } from './options.ts';
import { type SplitRow, splitFields } from './split-fields.ts';

/** The header row is searched in so many lines. */
export const SAMPLE_LINES = 20;

/** A dialect, and the rows of the sample as it splits them. */
interface DetectedDialect {
  dialect: Dialect;
  /** From the header row on. */
  rows: readonly SplitRow[];
  /** The rows of a table above the header row, which lacks mapped columns. */
  otherTable?: { rows: readonly SplitRow[]; problem: string };
  /** What is detected and unusual, for people. */
  findings: string[];
}

/**
 * Detects what the options leave open: from the first row among the sample that has all mapped columns; if there is none, from
 * the number of fields of the rows.
 */
export async function detectDialect(
  sample: readonly Line[],
  options: CsvOptions,
  mappedFields: ReadonlySet<string>,
): Promise<DetectedDialect> {
  const quotes = options.quote === undefined ? QUOTES : [options.quote === 'none' ? undefined : options.quote];
  const { candidates, content } = await candidatesOf(sample, options, quotes);
  const header = content.find(({ number }) => mayBeHeader(number) && candidatesAt(number).length > 0);
  const fitting = header === undefined ? candidates : candidatesAt(header.number);
  // The usual quote first, so that malformed rows do not change the quote.
  const best = bestOf(fitting.filter(({ dialect }) => dialect.quote === fitting[0]?.dialect.quote));
  const dialect = { ...best.dialect, firstLine: header?.number ?? best.dialect.firstLine };
  const rows = best.split.filter(({ row }) => row.line >= dialect.firstLine && row.line < best.unclosedLine);
  const above = best.split.filter(({ row }) => row.line < dialect.firstLine);
  const otherTable = options.header === true ? otherTableIn(above, rows[0], mappedFields) : undefined;
  return { dialect, rows, otherTable, findings: findingsOf(dialect, content, options) };

  function mayBeHeader(line: number): boolean {
    if (typeof options.header === 'object' || mappedFields.size === 0) return false;
    return typeof options.header !== 'number' || line === options.header;
  }

  /** Returns the candidates in which a row at a line has all mapped columns. */
  function candidatesAt(line: number): DialectCandidate[] {
    return candidates.filter((candidate) => {
      const row = candidate.rows.filter((each) => each.line === line && each.problem === undefined);
      const [header] = splitFields(row, candidate.dialect);
      return (
        header !== undefined && missingColumns(columnNames(header.fields, mappedFields), mappedFields).length === 0
      );
    });
  }
}

/** Finds a header row with some of the names of the first complete one, and the rows below it. */
function otherTableIn(
  above: readonly SplitRow[],
  header: SplitRow | undefined,
  mappedFields: ReadonlySet<string>,
): DetectedDialect['otherTable'] {
  const known = new Set(columnNames(header?.fields ?? []).map(nameKey));
  const start = above.findIndex(({ fields }) => isHeaderLike(fields, (key) => known.has(key)));
  const [other, ...rows] = start === -1 ? [] : above.slice(start);
  if (other === undefined || rows.length === 0) return undefined;
  const problem = headerProblem(columnNames(other.fields), mappedFields) ?? ' is not that of the feed';
  return { rows, problem: `the header row in line ${other.row.line}${problem}` };
}

function findingsOf({ delimiter, quote, firstLine }: Dialect, content: readonly Line[], options: CsvOptions): string[] {
  const findings: string[] = [];
  if (options.delimiter === undefined && delimiter !== ',') findings.push(`delimiter: ${nameOf(delimiter)}`);
  if (options.quote === undefined && quote !== '"') findings.push(`quote: ${quote}`);
  const skipped = content.filter(({ number }) => number < firstLine).length;
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
