import { selectSyncs, withBroken } from '../../config/select.ts';
import type { Config } from '../../config/types.ts';
import { shortSiteTime, siteTime } from '../../core/dates/site-time.ts';
import { toCodedError } from '../../core/errors.ts';
import type { RunCounts } from '../../core/run.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Undelivered } from '../../ledger/records/record-state.ts';
import type { WithoutFiles } from '../../ledger/runs/run-report.ts';
import type { LedgerQueries } from '../../queries/create-queries.ts';
import {
  type AttentionItem,
  type OverviewView,
  type RunRowView,
  type SourceView,
  type SyncRowView,
  URGENT,
} from '../../queries/views/overview.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { colour, plain, print, printJson } from '../output/print.ts';
import { fileLine } from '../output/run-result.ts';
import { describeDecision, describeRunRecords, resultColumn } from '../output/run-tables.ts';
import { type TableColumn, textTable, unbroken } from '../output/tables.ts';
import { withQueries } from '../with-ledger.ts';

/** How many undelivered records of each sync are listed. */
const LISTED = 5;

export const statusCommand = defineCommand('status')
  .argument('[sync...]', 'names of sync files (default: all)')
  .option('--all', `list all undelivered records, not only the first ${LISTED}`)
  .option(
    '--check',
    'print one line and end with 0 (OK), 1 (warning), 2 (critical) or 3 (unknown), for Icinga and Nagios',
  )
  .option('--wide', 'show more of the last run: its id, duration and all counts')
  .action(
    execute((context, names: string[], options: StatusOptions) =>
      options.check ? check(context, names) : status(context, names, options),
    ),
  );

interface StatusOptions {
  all?: boolean;
  check?: boolean;
  wide?: boolean;
}

/** Number of problems that the line of `--check` names. */
const NAMED = 3;
/** Exit codes of the plugins of Icinga and Nagios. */
const UNKNOWN = 3;

/** Prints what needs a person, in one line. */
async function check({ environment, json }: CommandContext, names: string[]): Promise<number> {
  try {
    const { attention, syncs } = await withQueries(environment, overviewOfNamed(names), names);
    const level = attention.some(({ is }) => URGENT.has(is)) ? 2 : Math.min(attention.length, 1);
    if (json) printJson({ is: LEVELS[level], attention });
    else if (level === 0) line(level, `${quantity(syncs.length, 'sync')}, nothing needs attention`);
    else {
      const texts = attention.slice(0, NAMED).map(({ sync, text }) => (sync === undefined ? text : `${sync}: ${text}`));
      line(level, [...texts, ...(attention.length > NAMED ? [`${attention.length - NAMED} more`] : [])].join(' '));
    }
    return level;
  } catch (error) {
    const { code, message } = toCodedError(error);
    if (json) printJson({ is: LEVELS[UNKNOWN], error: { code, message } });
    else line(UNKNOWN, `${code} ${message}`);
    return UNKNOWN;
  }
}

const LEVELS = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'];

/** What follows a bar would be read as measured values. */
function line(level: number, text: string): void {
  process.stdout.write(`${LEVELS[level]}: ${plain(text).replace(/\s+/g, ' ').replaceAll('|', '/')}\n`);
}

/** Returns the part of the overview that is about the named syncs, or about all. */
function overviewOfNamed(names: readonly string[]) {
  const isNamed = ({ sync }: { sync?: string | undefined }) =>
    names.length === 0 || sync === undefined || names.includes(sync);
  return async (queries: LedgerQueries, { config }: { config: Config }): Promise<OverviewView> => {
    selectSyncs(withBroken(config), names);
    const { syncs, attention, orphans, ...site } = await queries.overview();
    const shown = { syncs: syncs.filter(isNamed), attention: attention.filter(isNamed) };
    return { ...site, ...shown, orphans: names.length > 0 ? [] : orphans };
  };
}

async function status({ environment, json }: CommandContext, names: string[], { all, wide }: StatusOptions) {
  return withQueries(
    environment,
    async (queries, known) => {
      const overview = await overviewOfNamed(names)(queries, known);
      if (json) printJson(overview);
      else await printOverview(overview, known.ledger, { isWide: wide, limit: all ? undefined : LISTED });
      return EXIT.success;
    },
    names,
  );
}

async function printOverview(
  { syncs, attention, timezone }: OverviewView,
  { records }: Ledger,
  { isWide, limit }: { isWide: boolean | undefined; limit: number | undefined },
): Promise<void> {
  printTable(syncs, timezone, { isWide });
  for (const row of syncs) printFacts(row, timezone);
  for (const item of attention) {
    // Its mistakes are printed as facts.
    if (item.is !== 'broken') printAttention(item);
    if (item.sync && item.is === 'undelivered') printUndelivered(await records.undelivered(item.sync, limit));
    if (item.sync && item.is === 'withoutFiles')
      printWithoutFiles(await records.withoutFiles(item.sync, limit), timezone);
  }
}

/** Prints what the table has no room for, and what needs nobody. */
function printFacts(
  { sync, mistakes, paused, lastRun, lastSuccessAt, sources = [] }: SyncRowView,
  timezone: string,
): void {
  if (mistakes.length > 0) print(`\n${sync}: its file has mistakes, so it cannot run:\n  ${mistakes.join('\n  ')}`);
  if (paused) {
    const { by, since, reason } = paused;
    print(`\n${sync}: paused by ${plain(by)} since ${siteTime(since, timezone)}: ${plain(reason)}`);
    print(`  → to resume it: feedferry resume ${sync}`);
  }
  if (lastRun?.decision) print(`\n${sync}: ${describeDecision(lastRun.decision, timezone)}`);
  if (lastRun && lastSuccessAt !== null && lastSuccessAt < lastRun.startedAt)
    print(`\n${sync}: last good run ${siteTime(lastSuccessAt, timezone)}`);
  for (const source of sources) print(`\n${sync}: ${plain(describeSource(source, timezone))}`);
}

function printAttention({ sync, code, text, remedy }: AttentionItem): void {
  const reason = [code && colour('red', code), plain(text)].filter(Boolean).join(' ');
  print(`\n${sync === undefined ? '' : `${sync}: `}${reason}\n  → ${remedy}`);
}

function printTable(found: readonly SyncRowView[], timezone: string, { isWide = false }): void {
  const time = (instant: string) => unbroken(shortSiteTime(instant, timezone));
  const runs = found.map(({ lastRun }) => lastRun);
  print(
    textTable([
      { heading: 'sync', cells: found.map(({ sync }) => sync) },
      resultColumn(runs),
      {
        heading: 'last run',
        cells: runs.map((run) => (run ? `${isWide ? `${run.run} ` : ''}${time(run.startedAt)}` : '')),
      },
      { heading: 'next run', cells: found.map((each) => describeNext(each, time)) },
      ...(isWide ? detailColumns(runs) : countColumns(runs)),
    ]),
  );
  print(`Times are in ${timezone}.`);
}

function countColumns(runs: ReadonlyArray<RunRowView | null>): TableColumn[] {
  const column = (heading: string, count: (counts: RunCounts) => number): TableColumn => {
    return { heading, align: 'right', cells: runs.map((run) => (run ? String(count(run.counts)) : '')) };
  };
  const hasDeleted = runs.some((run) => run && run.counts.deleted > 0);
  return [
    column('new', ({ created }) => created),
    column('changed', ({ updated, marked }) => updated + marked),
    ...(hasDeleted ? [column('deleted', ({ deleted }) => deleted)] : []),
    column('rejected', ({ rejected }) => rejected),
  ];
}

function detailColumns(runs: ReadonlyArray<RunRowView | null>): TableColumn[] {
  return [
    { heading: 'seconds', align: 'right', cells: runs.map((run) => (run ? (run.durationMs / 1000).toFixed(1) : '')) },
    { heading: 'records', cells: runs.map((run) => (run ? describeRunRecords(run) : '')) },
  ];
}

function describeNext({ nextRunAt: next, mistakes, paused }: SyncRowView, time: (instant: string) => string): string {
  if (mistakes.length > 0) return 'cannot run';
  if (paused) return 'paused';
  if (next === null) return 'no schedule';
  return Date.parse(next) > Date.now() ? time(next) : 'due now';
}

function describeSource(
  { source, readAt, records = 0, complete, reason, error, isFormer }: SourceView,
  timezone: string,
) {
  const name = isFormer ? `${source} (no longer in the file)` : source;
  if (readAt === undefined) return `${name}: not read yet`;
  const doubt = `; ${error ? '' : 'incomplete: '}${reason ?? 'the reason is unknown'}`;
  return `${name}, read ${siteTime(readAt, timezone)}: ${quantity(records, 'record')}${complete ? '' : doubt}`;
}

function printWithoutFiles({ records, first }: WithoutFiles, timezone: string): void {
  for (const file of first) print(`  ${plain(`${nameWithKey(file)}: ${fileLine(file, timezone)}`)}`);
  const listed = new Set(first.map(({ key }) => key)).size;
  if (records > listed) print(`  … and ${records - listed} more`);
}

function printUndelivered({ pending, failed, held, first }: Undelivered): void {
  for (const { status: state, notSent: isNotSent, code, reason, ...record } of first) {
    const name = plain(nameWithKey(record));
    if (isNotSent) print(`  ${name}: not sent yet`);
    else print(`  ${name}: ${state}${code ? ` ${code} ${plain(reason ?? '')}` : ''}`);
  }
  const total = pending + failed + held;
  if (total > first.length) print(`  … and ${total - first.length} more`);
}
