import { type Selectable, sql } from 'kysely';
import type { DayRange } from '../../core/dates/iso-date.ts';
import { CodedError } from '../../core/errors.ts';
import { countUndone, leavesUnsent, type RunCounts, withRest } from '../../core/run.ts';
import { hasRows } from '../database/queries.ts';
import type { BackfillsTable, LedgerDatabase } from '../database/schema.ts';
import { type RunEnd, runEndColumns } from '../runs/finish-run.ts';
import { addToTotals } from '../runs/run-totals.ts';
import { newRun } from '../runs/runs.ts';

export type OpenBackfill = ReturnType<typeof toBackfill>;

/** Longer than the interval at which a waiting run asks again. */
const TURN_MS = 2_000;

export function createBackfillStore(database: LedgerDatabase) {
  const { db, now, leaseUntil, runtime } = database;
  return { find, open, begin, takeOver, renew, putDown, finish, askForTurn, takeTurn, isTurnWanted };

  /** The open backfill of a sync. */
  async function find(sync: string): Promise<OpenBackfill | undefined> {
    const row = await db.selectFrom('backfills').selectAll().where('sync', '=', sync).executeTakeFirst();
    return row && toBackfill(row);
  }

  /** All open backfills, and how many of their records are done. */
  async function open() {
    const rows = await db
      .selectFrom('backfills')
      .innerJoin('runs', 'runs.id', 'backfills.run')
      .selectAll('backfills')
      .select('runs.counts')
      .execute();
    return rows.map(({ counts, ...row }) => {
      // Each record is counted in the transaction that removes it from the work, so the work need not be counted.
      const left = countUndone(JSON.parse(counts) as RunCounts);
      return { ...toBackfill(row), done: row.total === null ? 0 : row.total - left };
    });
  }

  /** @throws CodedError FF_RUN_BUSY if the sync has an open backfill */
  async function begin(sync: string, { from, to }: DayRange): Promise<OpenBackfill> {
    const row = newRun(sync, 'backfill', database);
    const backfill = { sync, run: row.id, from_day: from ?? null, to_day: to ?? null, worked_ms: 0 };
    await db.transaction().execute(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('backfills')
        .values({ ...backfill, holder: runtime.process, lease_until: leaseUntil })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) throw busy(sync);
      await transaction.insertInto('runs').values(row).execute();
    });
    return toBackfill({ ...backfill, total: null });
  }

  /**
   * Makes this process the one that carries out a backfill.
   * @throws CodedError FF_RUN_BUSY while another process carries it out
   */
  async function takeOver({ sync, run }: OpenBackfill): Promise<void> {
    const { holder } = await db
      .selectFrom('backfills')
      .select('holder')
      .where('run', '=', run)
      .executeTakeFirstOrThrow(() => busy(sync));
    const { numUpdatedRows } = await db
      .updateTable('backfills')
      .set({ holder: runtime.process, lease_until: leaseUntil })
      .where(({ and }) => and({ run, holder }))
      .where(({ or, eb, val }) => or([eb('lease_until', '<', now), eb(val(runtime.isGone(holder) ? 1 : 0), '=', 1)]))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw busy(sync, holder);
  }

  /**
   * Renews the lease of this process.
   * @param workedMs since the last call
   */
  async function renew({ run }: OpenBackfill, workedMs: number): Promise<void> {
    await db
      .updateTable('backfills')
      .set({ lease_until: leaseUntil, worked_ms: sql<number>`worked_ms + ${Math.round(workedMs)}` })
      .where(({ and }) => and({ run, holder: runtime.process }))
      .execute();
  }

  /** Lets another process take the backfill over at once. The end of the lease decides how long its work is kept. */
  async function putDown({ run }: OpenBackfill): Promise<void> {
    await db
      .updateTable('backfills')
      .set({ lease_until: sql<number>`${now} - 1` })
      .where(({ and }) => and({ run, holder: runtime.process }))
      .execute();
  }

  /** Ends a backfill, with a status by its counts unless `end` has one. Records that are not done count as failed or held. */
  function finish({ run }: OpenBackfill, end?: RunEnd): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      const row = await transaction.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirstOrThrow();
      const { worked_ms } = await transaction
        .deleteFrom('backfills')
        .where('run', '=', run)
        .returning('worked_ms')
        .executeTakeFirstOrThrow();
      const rest = end?.status === 'held' ? 'held' : leavesUnsent(end?.code) ? 'notSent' : 'failed';
      const counts = withRest(JSON.parse(row.counts) as RunCounts, rest);
      const trouble = counts.rejected + counts.failed + counts.held > 0 || row.complete === 0;
      const status = end?.status ?? (trouble ? 'partial' : 'success');
      await transaction
        .updateTable('runs')
        .set(runEndColumns(status, counts, now, end))
        .where('id', '=', run)
        .execute();
      await transaction.deleteFrom('backfill_work').where('backfill', '=', run).execute();
      await transaction.deleteFrom('staged_changes').where('run', '=', run).execute();
      await addToTotals(transaction, now, row, { status, counts, durationMs: worked_ms });
    });
  }

  /** Asks for a turn between two slices. Returns false if the running run is not a slice. */
  async function askForTurn(sync: string): Promise<boolean> {
    const other = await db
      .selectFrom('runs')
      .select('kind')
      .where(({ and }) => and({ sync, status: 'running' }))
      .executeTakeFirst();
    // If no run is running, the slice has ended just now.
    if (other && other.kind !== 'slice') return false;
    await db
      .updateTable('backfills')
      .set({ turn_until: sql<number>`${now} + ${TURN_MS}` })
      .where('sync', '=', sync)
      .execute();
    return true;
  }

  /** Confirms the turn. */
  async function takeTurn(sync: string): Promise<void> {
    await db.updateTable('backfills').set({ turn_until: null }).where('sync', '=', sync).execute();
  }

  function isTurnWanted(sync: string): Promise<boolean> {
    return hasRows(db.selectFrom('backfills').where('sync', '=', sync).where('turn_until', '>', now));
  }
}

function busy(sync: string, holder?: string): CodedError {
  const by = holder ? ` (by ${holder})` : '';
  return new CodedError('FF_RUN_BUSY', `A backfill of "${sync}" is being carried out${by}.`);
}

/** A backfill that has not ended. */
function toBackfill(
  row: Pick<Selectable<BackfillsTable>, 'sync' | 'run' | 'from_day' | 'to_day' | 'total' | 'worked_ms'>,
) {
  const { run, sync, from_day: from, to_day: to, total, worked_ms: workedMs } = row;
  return {
    /** Its id, also in `runs`. */
    run,
    sync,
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    /** How many records are to be delivered; absent: the feed is not read yet. */
    ...(total === null ? {} : { total }),
    /** How long processes have worked on it, in ms. */
    workedMs,
  };
}
