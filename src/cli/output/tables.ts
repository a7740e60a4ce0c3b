import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { CodedError } from '../../core/errors.ts';
import { type RunCounts, type RunReport, type RunResult, type RunStatus, zeroCounts } from '../../core/run.ts';

const SHOWN = 20;
const COUNTS = Object.keys(zeroCounts()) as Array<keyof RunCounts>;
const ALWAYS_SHOWN: ReadonlySet<keyof RunCounts> = new Set(['read', 'created', 'updated', 'unchanged', 'rejected']);
export const STATUS_COLOURS = {
  planned: 'cyan',
  running: 'cyan',
  success: 'green',
  partial: 'yellow',
  held: 'yellow',
  failed: 'red',
} as const satisfies Record<RunStatus, string>;

export function print(stream: NodeJS.WriteStream | WriteStream, text: string): void {
  stream.write(`${text}\n`);
}

/** One JSON value on one line of standard output. */
export function printJson(value: unknown): void {
  print(process.stdout, JSON.stringify(value));
}

export function printError(error: CodedError): void {
  print(process.stderr, `${colour('red', error.code, process.stderr)} ${error.message}\n  → ${error.remedy}`);
}

/** The runs of a command for people: a table, then what needs their attention. */
export function printRuns(runs: readonly RunReport[]): void {
  print(process.stdout, runsTable(runs));
  for (const run of runs) printDetails(run);
}

/** One row a run. Counts that are zero stay empty so that the others stand out; columns that would be empty are left out. */
export function runsTable(runs: readonly RunResult[]): string {
  const shown = COUNTS.filter((count) => ALWAYS_SHOWN.has(count) || runs.some((run) => run.counts[count] > 0));
  const table = plainTable(['sync', 'status', ...shown, 'seconds']);
  for (const { sync, status, counts, durationMs } of runs) {
    const numbers = shown.map((count) => (counts[count] === 0 ? '' : counts[count]));
    table.push([sync, colour(STATUS_COLOURS[status], status), ...numbers, (durationMs / 1000).toFixed(1)]);
  }
  return table.toString();
}

/** Why a run failed or is held, its rejections, its problems and warnings: the first of each, and how many more. */
export function printDetails(run: RunReport): void {
  if (run.error) printError({ name: 'CodedError', ...run.error } as CodedError);
  if (!run.complete && run.receipt?.reason)
    print(process.stdout, `${run.sync}: the feed is incomplete: ${run.receipt.reason}`);
  printList(
    `${run.sync}: rejected`,
    run.counts.rejected,
    run.rejections,
    ({ at, code, reason }) => `${at}: ${code} ${reason}`,
  );
  printList(
    `${run.sync}: failed or held`,
    run.problems.length,
    run.problems,
    ({ key, code, reason }) => `${key}: ${code} ${reason}`,
  );
  printList(`${run.sync}: warnings`, run.warnings.length, run.warnings, ({ at, message }) => `${at}: ${message}`);
}

export function printList<T>(title: string, total: number, items: readonly T[], line: (item: T) => string): void {
  if (items.length === 0) return;
  const shown = items.slice(0, SHOWN).map((item) => `  ${plain(line(item))}`);
  const more = total > SHOWN ? [`  … and ${total - SHOWN} more`] : [];
  print(process.stdout, ['', `${title} (${total})`, ...shown, ...more].join('\n'));
}

/**
 * A table without lines between its rows.
 * @param left how many of its columns hold text; those after them hold numbers
 */
export function plainTable(head: string[], { left = 2 }: { left?: number } = {}): Table.Table {
  return new Table({
    head,
    style: { head: [], border: [], compact: true },
    colAligns: head.map((_, index) => (index < left ? 'left' : 'right')),
  });
}

type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** Coloured where the stream is a terminal that wants it (NO_COLOR, FORCE_COLOR). */
export function colour(name: Colour, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(name, text, { stream });
}

/** Text of others, fit for a terminal: control characters could move its cursor, or worse. */
export function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

/** All lines of a text, a step further in. */
export function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
