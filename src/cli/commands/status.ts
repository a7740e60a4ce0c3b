import type { Command } from 'commander';
import { loadAppConfig } from '../../app/load-config.ts';
import { selectSyncs } from '../../config/select.ts';
import type { DayRange } from '../../core/dates/iso-date.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { describeCounts } from '../../core/run.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Undelivered } from '../../ledger/records/record-state.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { plain, print, printJson } from '../output/print.ts';
import { colourStatus } from '../output/run-tables.ts';
import { textTable, unbroken } from '../output/tables.ts';
import { withLedger } from '../with-app.ts';

/** How many undelivered records of each sync are listed. */
const LISTED = 5;

interface StatusOptions extends CommonOptions {
  all?: boolean;
}

interface SyncStatus {
  sync: string;
  /** null: it has never run. */
  lastRun: PastRun | null;
  undelivered: Undelivered;
  /** An unfinished one, and how many of its records are done; `total` is null while it reads. */
  backfill: (DayRange & { run: string; done: number; total: number | null }) | null;
  /** Id of a held run that waits for an approval or for a better feed. */
  waits: string | null;
}

export function statusCommand(): Command {
  return defineCommand('status', 'show the last run of each sync and its undelivered records')
    .argument('[sync...]', 'names of sync files (default: all)')
    .option('--all', `list all undelivered records, not only the first ${LISTED}`)
    .action(execute(status));
}

async function status(
  { environment, json }: CommandContext,
  names: string[],
  { all = false }: StatusOptions,
): Promise<number> {
  const config = loadAppConfig(environment);
  const syncs = selectSyncs(config, names);
  const found: SyncStatus[] = [];
  await withLedger(environment, async (ledger) => {
    for (const { name } of syncs) {
      const lastRun = (await ledger.runs.last(name)) ?? null;
      const undelivered = await ledger.records.undelivered(name, all ? undefined : LISTED);
      const waits = (await ledger.plans.heldPlan(name))?.run ?? null;
      found.push({ sync: name, lastRun, undelivered, waits, backfill: await openBackfill(name, ledger) });
    }
  });
  if (json) printJson({ syncs: found });
  else printStatus(found, config.target.timezone);
  return EXIT.success;
}

async function openBackfill(sync: string, { backfills }: Ledger): Promise<SyncStatus['backfill']> {
  const open = await backfills.find(sync);
  if (!open) return null;
  const { run, from, to, total } = open;
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return { run, ...days, done: (total ?? 0) - (await backfills.countLeft(open)), total: total ?? null };
}

function printStatus(found: readonly SyncStatus[], timezone: string): void {
  const runs = found.map(({ lastRun }) => lastRun);
  print(
    textTable([
      { heading: 'sync', cells: found.map(({ sync }) => sync) },
      { heading: 'status', cells: runs.map((run) => (run ? colourStatus(run.status) : 'never run')) },
      {
        heading: 'last run',
        cells: runs.map((run) => (run ? `${run.run} ${unbroken(siteTime(run.startedAt, timezone))}` : '')),
      },
      { heading: 'records', cells: runs.map((run) => (run ? describeCounts(run.counts) || 'none' : '')) },
    ]),
  );
  for (const { sync, lastRun, undelivered, waits, backfill } of found) {
    if (lastRun?.error) print(`\n${sync}: ${lastRun.error.code} ${plain(lastRun.error.message)}`);
    if (waits) print(`${sync}: run ${waits} waits for approval: feedferry approve --list`);
    if (backfill) printBackfill(sync, backfill);
    printUndelivered(sync, undelivered);
  }
}

function printBackfill(sync: string, { run, done, total }: NonNullable<SyncStatus['backfill']>): void {
  const progress = total === null ? 'has not read its feed yet' : `has done ${done} of ${total} records`;
  print(`${sync}: backfill ${run} is unfinished and ${progress}. To resume it: feedferry backfill ${sync}`);
}

function printUndelivered(sync: string, { pending, failed, held, deleted, first }: Undelivered): void {
  if (deleted > 0) print(`\n${sync}: deleted in the CMS, not created again (${deleted})`);
  const total = pending + failed + held;
  if (total === 0) return;
  print(`\n${sync}: not delivered (${describeCounts({ pending, failed, held })})`);
  for (const { key, status: state, code, reason } of first) {
    print(`  ${plain(key)}: ${state}${code ? ` ${code} ${plain(reason ?? '')}` : ''}`);
  }
  if (total > first.length) print(`  … and ${total - first.length} more`);
}
