import { sql } from 'kysely';
import { addDeedTo, type NewDeed } from '../attempts/deeds.ts';
import { hasNotEnded } from '../database/conditions.ts';
import { hasRows } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { createFinish } from './finish-run.ts';

/** Who cancels a run, and why. */
export type Cancel = Pick<NewDeed, 'by' | 'via' | 'reason'>;

/** Cancels runs that are in progress, whichever processes lead and deliver them. */
export function createCancelStore(database: LedgerDatabase) {
  const { db, now } = database;
  const finish = createFinish(database);
  const isCarriedOut = sql`exists (select 1 from backfills where backfills.run = runs.id and backfills.lease_until >= ${now})`;
  return { cancel, cancelled, endCancelled, clearCancel };

  /**
   * Cancels a run, and the slice of a backfill: from now on, no request for it begins. Requests in flight end, and are settled.
   * Returns false if the run has ended, or is a backfill that no process carries out.
   */
  async function cancel(run: string, { by, via, reason }: Cancel): Promise<boolean> {
    const ids = await db.transaction().execute(async (transaction) => {
      const slice = transaction.selectFrom('backfills').select('slice').where('run', '=', run);
      const rows = await transaction
        .updateTable('runs')
        .set({ cancelled: reason ? `${by} cancelled the run: ${reason}` : `${by} cancelled the run.` })
        .where(({ or, eb }) => or([eb('id', '=', run), eb('id', '=', slice)]))
        .where('kind', '<>', 'plan')
        .where(hasNotEnded)
        .where(sql<boolean>`(kind <> 'backfill' or ${isCarriedOut})`)
        .returning(['id', 'sync'])
        .execute();
      const [first] = rows;
      if (first) await addDeedTo(transaction, now, { deed: 'cancel', sync: first.sync, run, by, via, reason });
      return rows.map(({ id }) => id);
    });
    for (const id of ids) await endCancelled(id);
    return ids.length > 0;
  }

  /** Who cancelled a run and why; undefined: nobody did. */
  async function cancelled(run: string): Promise<string | undefined> {
    const row = await db.selectFrom('runs').select('cancelled').where('id', '=', run).executeTakeFirst();
    return row?.cancelled ?? undefined;
  }

  /**
   * Ends a cancelled run if nothing of it is in flight. A backfill ends with its process, and can be resumed.
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
    const claimed = db.selectFrom('records').where('run', '=', run).where('status', '=', 'pending');
    if (await hasRows(claimed.where('claim_until', '>=', now))) return false;
    await finish(run, { status: 'failed', code: 'FF_RUN_CANCELLED', message: row.cancelled });
    await db.deleteFrom('staged_changes').where('run', '=', run).execute();
    return true;
  }

  /** Lets a cancelled backfill go on. */
  async function clearCancel(run: string): Promise<void> {
    await db.updateTable('runs').set({ cancelled: null }).where('id', '=', run).where(hasNotEnded).execute();
  }
}
