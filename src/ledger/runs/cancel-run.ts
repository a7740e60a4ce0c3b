import { addDeedTo, type NewDeed } from '../attempts/deeds.ts';
import { isUnderWay } from '../database/conditions.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { cell, change, exists } from '../database/statements.ts';
import { createFinish } from './finish-run.ts';

/** Who cancels a run, and why. */
export type Cancel = Pick<NewDeed, 'by' | 'via' | 'reason'>;

/** Cancels runs that are in progress, whichever processes lead and deliver them. */
export function createCancelStore(database: LedgerDatabase) {
  const { db, now } = database;
  const finish = createFinish(database);
  return { cancel, endCancelled };

  /**
   * Cancels a run: from now on, no request for it begins. Requests in flight end, and are settled. Returns false if the run has
   * ended.
   */
  async function cancel(run: string, { by, via, reason }: Cancel): Promise<boolean> {
    const why = reason ? `${by} cancelled the run: ${reason}` : `${by} cancelled the run.`;
    const isCancelled = await db.transaction().execute(async (transaction) => {
      const sync = await cell<string>(transaction)`
        update runs set cancelled = ${why} where id = ${run} and ${isUnderWay} returning sync
      `;
      if (sync !== undefined) await addDeedTo(transaction, now, { deed: 'cancel', sync, run, by, via, reason });
      return sync !== undefined;
    });
    if (isCancelled) await endCancelled(run);
    return isCancelled;
  }

  /**
   * Ends a cancelled run if nothing of it is in flight.
   * @returns whether the run has ended, or is not cancelled
   */
  async function endCancelled(run: string): Promise<boolean> {
    const message = await cell<string | null>(db)`select cancelled from runs where id = ${run} and ${isUnderWay}`;
    if (!message) return true;
    if (await exists(db)`select 1 from claims where run = ${run} and until >= ${now}`) return false;
    await finish(run, { status: 'failed', code: 'FF_RUN_CANCELLED', message });
    await change(db)`delete from staged_changes where run = ${run}`;
    return true;
  }
}
