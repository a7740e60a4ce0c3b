import type { Selectable } from 'kysely';
import { addDeedTo, type NewDeed } from '../attempts/deeds.ts';
import type { LedgerDatabase, PausesTable } from '../database/schema.ts';

/** A pause of a sync: no run of it reads its feed until it is resumed. */
export type SyncPause = ReturnType<typeof toPause>;

/** Who pauses or resumes a sync, and why. */
type Asked = Pick<NewDeed, 'by' | 'via' | 'reason'>;

export function createPauseStore(database: LedgerDatabase) {
  const { db, now } = database;
  return { pause, resume, pauses };

  /** Pauses a sync. If it is paused already, this pause takes the place of the other one. */
  async function pause(sync: string, { by: person, via, reason }: Asked & { reason: string }): Promise<SyncPause> {
    const columns = { paused_at: now, person, via, reason };
    return db.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('pauses')
        .values({ sync, ...columns })
        .onConflict((conflict) => conflict.column('sync').doUpdateSet(columns))
        .returningAll()
        .executeTakeFirstOrThrow();
      await addDeedTo(transaction, now, { deed: 'pause', sync, by: person, via, reason });
      return toPause(row);
    });
  }

  /** Resumes a sync. Returns false if it was not paused. */
  function resume(sync: string, asked: Asked): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction.deleteFrom('pauses').where('sync', '=', sync).executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await addDeedTo(transaction, now, { deed: 'resume', sync, ...asked });
      return true;
    });
  }

  /** The pauses of all paused syncs. */
  async function pauses(): Promise<Map<string, SyncPause>> {
    const rows = await db.selectFrom('pauses').selectAll().execute();
    return new Map(rows.map((row) => [row.sync, toPause(row)]));
  }
}

function toPause({ person, via, reason, paused_at }: Selectable<PausesTable>) {
  return { by: person, via, reason, since: new Date(paused_at).toISOString() };
}
