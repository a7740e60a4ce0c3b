import { addDeedTo, type NewDeed } from '../attempts/deeds.ts';
import { isUnderWay } from '../database/conditions.ts';
import { hasRows } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { createFinish } from './finish-run.ts';

/** Who cancels a run, and why. */
export type Cancel = Pick<NewDeed, 'by' | 'via' | 'reason'>;

/** Cancels runs that are in progress, whichever processes lead and deliver them. */
export function createCancelStore(database: LedgerDatabase) {
  const { db, now } = database;
  const finish = createFinish(database);
  return { cancel, cancelled, endCancelled };

  /**
   * Cancels a run: from now on, no request for it begins. Requests in flight end, and are settled. Returns false if the run has
   * ended.
   */
  async function cancel(run: string, { by, via, reason }: Cancel): Promise<boolean> {
    const isCancelled = await db.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('runs')
        .set({ cancelled: reason ? `${by} cancelled the run: ${reason}` : `${by} cancelled the run.` })
        .where('id', '=', run)
        .where(isUnderWay)
        .returning('sync')
        .executeTakeFirst();
      if (row) await addDeedTo(transaction, now, { deed: 'cancel', sync: row.sync, run, by, via, reason });
      return row !== undefined;
    });
    if (isCancelled) await endCancelled(run);
    return isCancelled;
  }

  /** Who cancelled a run and why; undefined: nobody did. */
  async function cancelled(run: string): Promise<string | undefined> {
    const row = await db.selectFrom('runs').select('cancelled').where('id', '=', run).executeTakeFirst();
    return row?.cancelled ?? undefined;
  }

  /**
   * Ends a cancelled run if nothing of it is in flight.
   * @returns whether the run has ended, or is not cancelled
   */
  async function endCancelled(run: string): Promise<boolean> {
    const row = await db
      .selectFrom('runs')
      .select('cancelled')
      .where('id', '=', run)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (!row?.cancelled) return true;
    if (await hasRows(db.selectFrom('claims').where('run', '=', run).where('until', '>=', now))) return false;
    await finish(run, { status: 'failed', code: 'FF_RUN_CANCELLED', message: row.cancelled });
    await db.deleteFrom('staged_changes').where('run', '=', run).execute();
    return true;
  }
}
