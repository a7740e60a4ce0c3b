import { loadUsableAppConfig } from '../../app/load-config.ts';
import { selectSyncs, withBroken } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { shortSiteTime, siteTime } from '../../core/dates/site-time.ts';
import { toCodedError } from '../../core/errors.ts';
import { describeCounts, type RunCounts } from '../../core/run.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Orphan } from '../../ledger/records/orphans.ts';
import type { Undelivered } from '../../ledger/records/record-state.ts';
import type { SyncPause } from '../../ledger/runs/pauses.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import type { WithoutFiles } from '../../ledger/runs/run-report.ts';
import { overviewIn } from '../../queries/syncs/overview.ts';
import { describeStillShown } from '../../queries/syncs/rejects.ts';
import { sourcesOf } from '../../queries/syncs/sources.ts';
import { describeFailing, hasCounted, type SyncState, statesOf } from '../../queries/syncs/sync-states.ts';
import { URGENT } from '../../queries/views/overview.ts';
import type { SourceView } from '../../queries/views/sync.ts';
import { formerSyncs } from '../../sync/items/former-syncs.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { plain, print, printJson } from '../output/print.ts';
import { fileLine } from '../output/run-result.ts';
import { describeDecision, describeRunRecords, resultColumn } from '../output/run-tables.ts';
import { type TableColumn, textTable, unbroken } from '../output/tables.ts';
import { warnOfBroken } from '../select-sync.ts';
import { withLedger } from '../with-ledger.ts';

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
async function check({ environment, json, openLog }: CommandContext, names: string[]): Promise<number> {
  try {
    const config = loadUsableAppConfig(environment);
    selectSyncs(withBroken(config), names);
    const log = await openLog();
    const { attention, syncs } = await withLedger(environment, (ledger) => overviewIn(config, ledger, log));
    const isAsked = (sync: string | undefined) => names.length === 0 || sync === undefined || names.includes(sync);
    const found = attention.filter(({ sync }) => isAsked(sync));
    const level = found.some(({ is }) => URGENT.has(is)) ? 2 : Math.min(found.length, 1);
    if (json) printJson({ is: LEVELS[level], attention: found });
    else if (level === 0)
      line(level, `${quantity(syncs.filter(({ sync }) => isAsked(sync)).length, 'sync')}, nothing needs attention`);
    else {
      const texts = found.slice(0, NAMED).map(({ sync, text }) => (sync === undefined ? text : `${sync}: ${text}`));
      line(level, [...texts, ...(found.length > NAMED ? [`${found.length - NAMED} more`] : [])].join(' '));
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

async function status({ environment, json, openLog }: CommandContext, names: string[], options: StatusOptions) {
  const config = loadUsableAppConfig(environment);
  const known = withBroken(config);
  const syncs = selectSyncs(known, names);
  warnOfBroken(
    config,
    syncs.map(({ name }) => name),
  );
  const limit = options.all ? undefined : LISTED;
  const { timezone } = config.target;
  const log = await openLog();
  const { found, orphans, attention } = await withLedger(environment, async (ledger) => {
    const overview = await overviewIn(config, ledger, log);
    const successOf = (sync: string) => overview.syncs.find((row) => row.sync === sync)?.lastSuccessAt ?? null;
    const states = await statesOf(syncs, config, ledger);
    return {
      found: await Promise.all(
        syncs.map(async (sync, place) => {
          const sources = await sourcesOf(sync, { target: config.target, ledger });
          const lastSuccessAt = successOf(sync.name);
          return statusOf(states[place] as SyncState, { limit, sources, lastSuccessAt, timezone, ledger });
        }),
      ),
      orphans: names.length > 0 ? [] : await ledger.records.orphans(known.syncs.map(({ name }) => name)),
      attention: overview.attention.filter(
        ({ sync }) => names.length === 0 || sync === undefined || names.includes(sync),
      ),
    };
  });
  if (json) printJson({ syncs: found, orphans: orphans.map(({ sync, items }) => ({ sync, items })), attention });
  else {
    printTable(found, config.target.timezone, { isWide: options.wide });
    for (const each of found) printProblems(each, config.target.timezone);
    printOrphans(orphans, config.syncs);
    for (const { sync, text } of attention) if (sync === undefined) print(`\n${plain(text)}`);
  }
  return EXIT.success;
}

type SyncStatus = Awaited<ReturnType<typeof statusOf>>;

async function statusOf(
  state: SyncState,
  {
    limit,
    sources,
    lastSuccessAt,
    timezone,
    ledger,
  }: {
    limit: number | undefined;
    sources: SourceView[];
    lastSuccessAt: string | null;
    timezone: string;
    ledger: Ledger;
  },
) {
  const { sync, mistakes, recentRuns, nextRun, pause, waits, drift, acknowledged } = state;
  const withoutFiles = await ledger.records.withoutFiles(sync, limit);
  const stillShown = await describeStillShown(sync, recentRuns.find(hasCounted), ledger);
  const failing = describeFailing(recentRuns, timezone);
  return {
    sync,
    mistakes,
    /** null if the sync has never run. */
    lastRun: recentRuns[0] ? toLastRun(recentRuns[0]) : null,
    lastSuccessAt,
    ...(failing && { failing }),
    nextRun,
    ...(pause && { paused: pause }),
    undelivered: await ledger.records.undelivered(sync, limit),
    ...(stillShown.length > 0 && { stillShown }),
    ...(withoutFiles.records > 0 && { withoutFiles }),
    /** The sources, best first, and their last readings, if there are several. */
    ...(sources.length > 0 && { sources }),
    waits,
    drift: drift && { differences: drift.differences, summary: drift.summary },
    /** How many of these problems a person has acknowledged. */
    acknowledged,
  };
}

function toLastRun({ isApproval, agoMs, ...run }: SyncState['recentRuns'][number]): PastRun {
  return run;
}

function printTable(found: readonly SyncStatus[], timezone: string, { isWide = false }): void {
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

function countColumns(runs: ReadonlyArray<PastRun | null>): TableColumn[] {
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

function detailColumns(runs: ReadonlyArray<PastRun | null>): TableColumn[] {
  return [
    { heading: 'seconds', align: 'right', cells: runs.map((run) => (run ? (run.durationMs / 1000).toFixed(1) : '')) },
    { heading: 'records', cells: runs.map((run) => (run ? describeRunRecords(run) : '')) },
  ];
}

function describeNext({ nextRun: next, mistakes, paused }: SyncStatus, time: (instant: string) => string): string {
  if (mistakes.length > 0) return 'cannot run';
  if (paused) return 'paused';
  if (next === null) return 'no schedule';
  return Date.parse(next) > Date.now() ? time(next) : 'due now';
}

function printProblems(found: SyncStatus, timezone: string): void {
  const { sync, mistakes, paused, lastRun, undelivered, withoutFiles, waits, drift, sources = [] } = found;
  const { acknowledged, lastSuccessAt, failing, stillShown = [] } = found;
  if (mistakes.length > 0) print(`\n${sync}: its file has mistakes, so it cannot run:\n  ${mistakes.join('\n  ')}`);
  if (paused) printPause(sync, paused, timezone);
  if (lastRun?.decision) print(`\n${sync}: ${describeDecision(lastRun.decision, timezone)}`);
  else if (lastRun?.error) print(`\n${sync}: ${lastRun.error.code} ${plain(lastRun.error.message)}`);
  if (waits) print(`${sync}: run ${waits} waits for approval: feedferry approve --list`);
  if (failing) print(`${sync}: ${failing}`);
  if (lastRun && lastSuccessAt !== null && lastSuccessAt < lastRun.startedAt)
    print(`${sync}: last success ${siteTime(lastSuccessAt, timezone)}`);
  if (lastRun?.hasRead && !lastRun.complete)
    print(`\n${sync}: the feed is incomplete, so missing records are not removed: feedferry runs ${sync}`);
  if (drift && drift.differences > acknowledged.differs)
    print(`\n${sync}: the CMS differs from what was delivered (${drift.summary}): feedferry verify ${sync}`);
  const { rejected = 0, read = 0 } = lastRun?.counts ?? {};
  const open = rejected - acknowledged.rejected;
  const known = acknowledged.rejected > 0 ? `, ${acknowledged.rejected} more acknowledged` : '';
  if (open > 0) print(`\n${sync}: ${open} of ${read} records rejected${known}: feedferry rejects ${sync}`);
  for (const text of stillShown) print(`${sync}: ${plain(text)}`);
  for (const source of sources) print(`\n${sync}: ${plain(describeSource(source, timezone))}`);
  printUndelivered(sync, undelivered);
  if (withoutFiles && withoutFiles.records > acknowledged.withoutFile) printWithoutFiles(sync, withoutFiles, timezone);
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

function printPause(sync: string, { by, since, reason }: SyncPause, timezone: string): void {
  print(`\n${sync}: paused by ${plain(by)} since ${siteTime(since, timezone)}: ${plain(reason)}`);
  print(`  → to resume it: feedferry resume ${sync}`);
}

function printWithoutFiles(sync: string, { records, first }: WithoutFiles, timezone: string): void {
  print(`\n${sync}: delivered without their file (${records})`);
  for (const file of first) print(`  ${plain(`${nameWithKey(file)}: ${fileLine(file, timezone)}`)}`);
  const listed = new Set(first.map(({ key }) => key)).size;
  if (records > listed) print(`  … and ${records - listed} more`);
  print(`  → to try them again now: feedferry retry ${sync}`);
}

function printOrphans(orphans: readonly Orphan[], syncs: readonly SyncConfig[]): void {
  for (const { sync, items } of orphans) {
    print(`\n${sync}: no sync file, but ${quantity(items, 'item')} in the CMS. They are no longer updated.`);
    const heir = syncs.find((present) => formerSyncs(present).some(({ name }) => name === sync));
    if (heir) print(`  → The next run of ${heir.name} takes them over. Those that remain after it have a duplicate.`);
    else print(`  → if it was renamed, write in its new file: renamedFrom: ${sync}`);
    print(`  → to delete the items: feedferry purge ${sync}`);
    print(`  → to keep them, unmanaged: feedferry release ${sync}`);
  }
}

function printUndelivered(sync: string, { pending, notSent, failed, held, deleted, first }: Undelivered): void {
  if (deleted > 0) print(`\n${sync}: deleted in the CMS, not created again (${deleted})`);
  const total = pending + failed + held;
  if (total === 0) return;
  print(`\n${sync}: not delivered (${describeCounts({ notSent, pending: pending - notSent, failed, held })})`);
  for (const { status: state, notSent: isNotSent, code, reason, ...record } of first) {
    const name = plain(nameWithKey(record));
    if (isNotSent) print(`  ${name}: not sent yet`);
    else print(`  ${name}: ${state}${code ? ` ${code} ${plain(reason ?? '')}` : ''}`);
  }
  if (total > first.length) print(`  … and ${total - first.length} more`);
  if (failed + held > 0) print(`  → to try them again: feedferry retry ${sync}`);
}
