import type { Command } from 'commander';
import { loadAppConfig } from '../../app/load-config.ts';
import { selectSyncs } from '../../config/select.ts';
import type { BackfillDays } from '../../ledger/backfills/open-backfill.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Undelivered } from '../../ledger/records/record-state.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { colour, plain, plainTable, print, printJson, STATUS_COLOURS } from '../output/tables.ts';
import { withLedger } from '../with-app.ts';

/** How many undelivered records of each sync are named. */
const NAMED = 5;

interface StatusOptions extends CommonOptions {
  all?: boolean;
}

interface SyncStatus {
  sync: string;
  /** null: it has never run. */
  lastRun: PastRun | null;
  undelivered: Undelivered;
  /** One that is not finished, and how many of its records are done; `total` is null while it reads. */
  backfill: (BackfillDays & { run: string; done: number; total: number | null }) | null;
  /** Id of a held run that waits for somebody to approve it, or for a better feed. */
  waits: string | null;
}

export function statusCommand(): Command {
  return defineCommand('status', 'tell the last run of each sync, and which records are not delivered')
    .argument('[sync...]', 'names of sync files (default: all)')
    .option('--all', `name all records that are not delivered, not only the first ${NAMED}`)
    .action(execute(status));
}

async function status(
  { environment, json }: CommandContext,
  names: string[],
  { all = false }: StatusOptions,
): Promise<number> {
  const syncs = selectSyncs(loadAppConfig(environment), names);
  const found: SyncStatus[] = [];
  await withLedger(environment, async (ledger) => {
    for (const { name } of syncs) {
      const lastRun = (await ledger.pastRuns.last(name)) ?? null;
      const undelivered = await ledger.records.undelivered(name, all ? undefined : NAMED);
      const waits = (await ledger.holds.current(name))?.run ?? null;
      found.push({ sync: name, lastRun, undelivered, waits, backfill: await openBackfill(name, ledger) });
    }
  });
  if (json) printJson({ syncs: found });
  else printStatus(found);
  return EXIT.success;
}

async function openBackfill(sync: string, { backfills, backfillWork }: Ledger): Promise<SyncStatus['backfill']> {
  const open = await backfills.find(sync);
  if (!open) return null;
  const { run, from, to, total } = open;
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return { run, ...days, done: (total ?? 0) - (await backfillWork.left(open)), total: total ?? null };
}

function printStatus(found: readonly SyncStatus[]): void {
  const counts = ['read', 'rejected', 'pending', 'failed', 'held', 'deleted'];
  const table = plainTable(['sync', 'status', 'last run', 'at', ...counts], { left: 4 });
  for (const { sync, lastRun, undelivered } of found) {
    const { pending, failed, held, deleted } = undelivered;
    const run = lastRun
      ? [colour(STATUS_COLOURS[lastRun.status], lastRun.status), lastRun.run, lastRun.startedAt]
      : ['never run', '', ''];
    table.push([
      sync,
      ...run,
      ...[lastRun?.counts.read ?? 0, lastRun?.counts.rejected ?? 0, pending, failed, held, deleted].map(orEmpty),
    ]);
  }
  print(process.stdout, table.toString());
  for (const { sync, lastRun, undelivered, waits, backfill } of found) {
    if (lastRun?.error) print(process.stdout, `\n${sync}: ${lastRun.error.code} ${plain(lastRun.error.message)}`);
    if (waits) print(process.stdout, `${sync}: run ${waits} waits for an approval: feedferry approve --list`);
    if (backfill) printBackfill(sync, backfill);
    printUndelivered(sync, undelivered);
  }
}

function printBackfill(sync: string, { run, done, total }: NonNullable<SyncStatus['backfill']>): void {
  const how = total === null ? 'has not read its feed' : `has done ${done} of ${total} records`;
  print(
    process.stdout,
    `${sync}: backfill ${run} is not finished and ${how}; feedferry backfill ${sync} goes on with it`,
  );
}

function printUndelivered(sync: string, { pending, failed, held, deleted, first }: Undelivered): void {
  if (deleted > 0) print(process.stdout, `\n${sync}: deleted in the CMS, and left so (${deleted})`);
  const total = pending + failed + held;
  if (total === 0) return;
  print(process.stdout, `\n${sync}: not delivered (${total})`);
  for (const { key, status: state, code, reason } of first) {
    print(process.stdout, `  ${plain(key)}: ${state}${code ? ` ${code} ${plain(reason ?? '')}` : ''}`);
  }
  if (total > first.length) print(process.stdout, `  … and ${total - first.length} more`);
}

function orEmpty(count: number): number | string {
  return count === 0 ? '' : count;
}
