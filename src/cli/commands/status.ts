import { loadAppConfig } from '../../app/load-config.ts';
import { selectSyncs } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { describeCounts } from '../../core/run.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Orphan } from '../../ledger/records/orphans.ts';
import type { Undelivered } from '../../ledger/records/record-state.ts';
import { type CommandContext, defineCommand, EXIT, execute } from '../command.ts';
import { plain, print, printJson } from '../output/print.ts';
import { colourStatus } from '../output/run-tables.ts';
import { textTable, unbroken } from '../output/tables.ts';
import { withLedger } from '../with-app.ts';

/** How many undelivered records of each sync are listed. */
const LISTED = 5;

export const statusCommand = defineCommand('status', 'show the last run of each sync and its undelivered records')
  .argument('[sync...]', 'names of sync files (default: all)')
  .option('--all', `list all undelivered records, not only the first ${LISTED}`)
  .action(execute(status));

async function status({ environment, json }: CommandContext, names: string[], options: { all?: boolean }) {
  const config = loadAppConfig(environment);
  const syncs = selectSyncs(config, names);
  const found: SyncStatus[] = [];
  const orphans = await withLedger(environment, async (ledger) => {
    for (const { name } of syncs) found.push(await statusOf(name, options.all ? undefined : LISTED, ledger));
    return names.length > 0 ? [] : ledger.records.orphans(config.syncs.map(({ name }) => name));
  });
  if (json) printJson({ syncs: found, orphans: orphans.map(({ sync, items }) => ({ sync, items })) });
  else {
    printStatus(found, config.target.timezone);
    printOrphans(orphans, config.syncs);
  }
  return EXIT.success;
}

type SyncStatus = Awaited<ReturnType<typeof statusOf>>;

async function statusOf(sync: string, limit: number | undefined, ledger: Ledger) {
  return {
    sync,
    /** null: it has never run. */
    lastRun: (await ledger.runs.last(sync)) ?? null,
    undelivered: await ledger.records.undelivered(sync, limit),
    /** Id of a held run that waits for an approval or for a better feed. */
    waits: (await ledger.plans.heldPlan(sync))?.run ?? null,
    backfill: await openBackfill(sync, ledger),
  };
}

/** An unfinished backfill, and how many of its records are done; `total` is null while it reads. */
async function openBackfill(sync: string, { backfills }: Ledger) {
  const open = await backfills.find(sync);
  if (!open) return null;
  const { run, from, to, total = null } = open;
  return { run, from, to, done: (total ?? 0) - (await backfills.countLeft(open)), total };
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

function printOrphans(orphans: readonly Orphan[], syncs: readonly SyncConfig[]): void {
  for (const { sync, items } of orphans) {
    print(`\n${sync}: no sync file, but ${items} items in the CMS. They are no longer updated.`);
    const heir = syncs.find(({ renamedFrom }) => renamedFrom?.includes(sync));
    if (heir) print(`  → The next run of ${heir.name} takes them over. Those that remain after it have a duplicate.`);
    else print(`  → if it was renamed, write in its new file: renamedFrom: ${sync}`);
    print(`  → to delete the items: feedferry purge ${sync}`);
    print(`  → to keep them, unmanaged: feedferry release ${sync}`);
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
