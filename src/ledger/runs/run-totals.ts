import { sql, type Transaction } from 'kysely';
import { type CountName, type RunCounts, type RunStatus, zeroCounts } from '../../core/run.ts';
import type { LedgerDatabase, LedgerTables, RunRow } from '../database/schema.ts';
import { reportedKind } from './run-kinds.ts';

const COUNTS = Object.keys(zeroCounts()) as CountName[];

/** Sums over the runs of a sync that have the same kind and status. They outlive the runs, so that metrics never decrease. */
export function createRunTotals({ db, now }: LedgerDatabase) {
  return { totals };

  async function totals() {
    const rows = await db.selectFrom('run_totals').selectAll().select(now.as('now')).execute();
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
}

/**
 * Adds a run that has just ended. Call it once per run, in the transaction that ends it. Plans do not count.
 * @param ended `succeeded`: whether the run counts as a success
 */
export async function addToTotals(
  transaction: Transaction<LedgerTables>,
  now: LedgerDatabase['now'],
  { sync, kind, started_at }: Pick<RunRow, 'sync' | 'kind' | 'started_at'>,
  ended: { status: RunStatus; counts: RunCounts; succeeded: boolean },
): Promise<void> {
  const { status, counts, succeeded } = ended;
  const counted = reportedKind(kind);
  if (counted === 'plan') return;
  // Records that were not sent count with the run that delivers them.
  const { notSent, ...done } = counts;
  const sums = { runs: 1, duration_ms: sql<number>`${now} - ${started_at}`, ...done };
  await transaction
    .insertInto('run_totals')
    .values({ sync, kind: counted, status, last_finished_at: now, last_success_at: succeeded ? now : null, ...sums })
    .onConflict((conflict) =>
      conflict.columns(['sync', 'kind', 'status']).doUpdateSet({
        last_finished_at: now,
        ...(succeeded && { last_success_at: now }),
        ...Object.fromEntries(Object.keys(sums).map((sum) => [sum, added(sum)])),
      }),
    )
    .execute();
}

function added(sum: string) {
  return sql<number>`${sql.ref(`run_totals.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`;
}
