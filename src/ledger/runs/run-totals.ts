import { sql, type Transaction } from 'kysely';
import { type CountName, type RunCounts, type RunStatus, reportedKind, zeroCounts } from '../../core/run.ts';
import { hasChanges, hasReadRecords } from '../database/conditions.ts';
import type { LedgerDatabase, LedgerTables, RunRow, RunTotalsTable } from '../database/schema.ts';
import { all, cell, change } from '../database/statements.ts';

const COUNTS = Object.keys(zeroCounts()) as CountName[];
const SUMS = ['runs', 'duration_ms', ...COUNTS];

/** How many items the runs of a sync have changed in the CMS. */
export type RecentChanges = { sync: string } & Pick<RunCounts, 'created' | 'updated' | 'deleted' | 'marked'>;

/** Sums over runs. */
export function createRunTotals({ db, now }: LedgerDatabase) {
  return { totals, changedSince, countNewRejections };

  /** Sums over the runs of a sync that have the same kind and status. They outlive the runs, so that metrics never decrease. */
  async function totals() {
    const rows = await all<RunTotalsTable & { now: number }>(db)`select run_totals.*, ${now} as now from run_totals`;
    return rows.map((row) => ({
      sync: row.sync,
      kind: row.kind,
      status: row.status,
      runs: row.runs,
      durationMs: row.duration_ms,
      agoMs: Math.max(0, row.now - row.last_finished_at),
      /** Of the last of these runs that counts as a success; absent: none does. */
      ...(row.last_success_at !== null && { successAgoMs: Math.max(0, row.now - row.last_success_at) }),
      counts: Object.fromEntries(COUNTS.map((count) => [count, row[count]])) as unknown as RunCounts,
    }));
  }

  /** What the runs of each sync have changed that began since a time, in ms since 1970; syncs without changes are absent. */
  async function changedSince(since: number): Promise<RecentChanges[]> {
    // In the order of time: otherwise, all runs would be read in the order of syncs.
    const rows = await all<Pick<RunRow, 'sync' | 'counts'>>(db)`
      select sync, counts from runs
      where started_at >= ${since} and kind <> 'plan' and finished_at is not null and ${hasChanges}
      order by started_at
    `;
    const bySync = [...Map.groupBy(rows, ({ sync }) => sync)].toSorted(([one], [other]) => one.localeCompare(other));
    return bySync.map(([sync, runs]) => {
      const counts = runs.map((run) => JSON.parse(run.counts) as RunCounts);
      const sum = (name: 'created' | 'updated' | 'deleted' | 'marked') =>
        counts.reduce((total, count) => total + count[name], 0);
      return { sync, created: sum('created'), updated: sum('updated'), deleted: sum('deleted'), marked: sum('marked') };
    });
  }

  /**
   * How many rejections of a run the last reading of the sync before a time had not. Earlier readings whose rejections have expired
   * do not count.
   */
  async function countNewRejections({ run, sync }: { run: string; sync: string }, since: number): Promise<number> {
    const count = await cell<number>(db)`
      select count(*) from (
        select key, code, reason from rejections where run = ${run}
        except
        select key, code, reason from rejections where run = (
          select id from runs
          where sync = ${sync} and started_at < ${since} and finished_at is not null and ${hasReadRecords}
            and (counts like '%"rejected":0,%' or exists (select 1 from rejections as kept where kept.run = runs.id))
          order by started_at desc, id desc limit 1
        )
      ) as fresh
    `;
    return count ?? 0;
  }
}

/**
 * Adds a run that has just ended. Call it once per run, in the transaction that ends it. Plans do not count.
 * @param ended `succeeded`: whether the run counts as a success
 */
export async function addToTotals(
  transaction: Transaction<LedgerTables>,
  now: LedgerDatabase['now'],
  { sync, kind, started_at }: Pick<RunRow, 'sync' | 'kind' | 'started_at'>,
  { status, counts, succeeded }: { status: RunStatus; counts: RunCounts; succeeded: boolean },
): Promise<void> {
  const counted = reportedKind(kind);
  if (counted === 'plan') return;
  const list = (parts: (sum: string) => unknown) => sql.join(SUMS.map(parts));
  // Records that were not sent count with the run that delivers them.
  await change(transaction)`
    insert into run_totals (sync, kind, status, last_finished_at, last_success_at, ${list(sql.ref)})
    values (
      ${sync}, ${counted}, ${status}, ${now}, ${succeeded ? now : null}, 1, ${now} - ${started_at},
      ${sql.join(COUNTS.map((count) => counts[count]))}
    )
    on conflict (sync, kind, status) do update set
      last_finished_at = excluded.last_finished_at,
      last_success_at = coalesce(excluded.last_success_at, run_totals.last_success_at),
      ${list((sum) => sql`${sql.ref(sum)} = ${sql.ref(`run_totals.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`)}
  `;
}
