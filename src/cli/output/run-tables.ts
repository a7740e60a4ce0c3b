import { siteTime } from '../../core/dates/site-time.ts';
import { describeCounts, type RunReport, type RunResult, type RunStatus } from '../../core/run.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import { terminalText } from '../../core/text/text-parts.ts';
import type { HoldDecision } from '../../ledger/runs/decided-runs.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { colour, plain, print, printError, printList } from './print.ts';
import { fileLine, problemLine } from './run-result.ts';
import { type TableColumn, textTable } from './tables.ts';

const STATUS_COLOURS = {
  planned: 'cyan',
  running: 'cyan',
  success: 'green',
  partial: 'yellow',
  held: 'yellow',
  failed: 'red',
} as const satisfies Record<RunStatus, string>;

/** The result of a run, and what was done about it later. */
type Result = Pick<RunResult, 'status'> & Pick<PastRun, 'undone' | 'undonePartly' | 'decision'>;

/** Returns a column with the coloured results of runs; `undefined` or `null` stands for a sync without a run. */
export function resultColumn(runs: ReadonlyArray<Result | undefined | null>): TableColumn {
  return { heading: 'result', cells: runs.map((run) => (run ? resultOf(run) : 'never run')) };
}

function resultOf({ status, undone, undonePartly, decision }: Result): string {
  if (undone) return colour('yellow', 'undone');
  if (decision) return `${status}, ${decision.is}`;
  return `${colour(STATUS_COLOURS[status], status)}${undonePartly ? ', partly undone' : ''}`;
}

/** Describes what a person has decided about a held plan. */
export function describeDecision({ is, by, at, reason }: HoldDecision, timezone: string): string {
  return `plan ${is} by ${plain(by)} at ${siteTime(at, timezone)}${reason === undefined ? '' : `: ${plain(reason)}`}`;
}

/** Prints the runs of a command for people: a table, then the details of runs that need attention. */
export function printRuns(runs: readonly RunReport[]): void {
  print(runsTable(runs));
  for (const run of runs) printDetails(run);
}

/** Returns a table with one row per run. */
export function runsTable(runs: readonly RunResult[]): string {
  return textTable([
    { heading: 'sync', cells: runs.map(({ sync }) => sync) },
    resultColumn(runs),
    { heading: 'seconds', align: 'right', cells: runs.map(({ durationMs }) => (durationMs / 1000).toFixed(1)) },
    { heading: 'records', cells: runs.map(describeRunRecords) },
  ]);
}

/** The counts of a run, and how many records lacked a file when it ended. */
export function describeRunRecords({ counts, withoutFiles = 0 }: Pick<RunResult, 'counts' | 'withoutFiles'>): string {
  return describeCounts({ ...counts, withoutFiles }) || '0 records';
}

/** Prints why a run failed or is held, then the first of its rejections, problems, undelivered files and warnings. */
export function printDetails(run: RunReport): void {
  const { sync, error, complete, receipt, counts, rejections, problems, warnings } = run;
  const { withoutFiles = 0, undeliveredFiles = [] } = run;
  if (error) printError({ ...error, remedy: terminalText(error.remedy, run) });
  if (receipt && !error && counts.read === 0) print(`${sync}: ${plain(receipt.location)} has no records.`);
  const { reason } = receipt ?? {};
  if (!complete && reason && !error?.message.includes(reason)) print(`${sync}: the feed is incomplete: ${reason}`);
  printList(`${sync}: rejected`, counts.rejected, rejections, ({ at, code, reason }) => `${at}: ${code} ${reason}`);
  printList(`${sync}: failed or held`, problems.length, problems, (problem) => {
    return problemLine({ ...problem, key: nameWithKey(problem) });
  });
  printList(
    `${sync}: delivered without their file`,
    withoutFiles,
    undeliveredFiles,
    (file) => `${nameWithKey(file)}: ${fileLine(file)}`,
  );
  printList(`${sync}: warnings`, warnings.length, warnings, ({ at, message }) => `${at}: ${message}`);
}
