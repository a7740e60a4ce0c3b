import { addDeedTo, type NewDeed } from '../attempts/deeds.ts';
import type { LedgerDatabase, PausesTable } from '../database/schema.ts';
import { all, change, only } from '../database/statements.ts';

/** A pause of a sync: no run of it reads its feed until it is resumed. */
export type SyncPause = ReturnType<typeof toPause>;

/** Who pauses or resumes a sync, and why. */
type Asked = Pick<NewDeed, 'by' | 'via' | 'reason'>;

export function createPauseStore(database: LedgerDatabase) {
  const { db, now } = database;
  return { pause, resume, pauses };

  /** Pauses a sync. If it is paused already, this pause takes the place of the other one. */
  function pause(sync: string, { by, via, reason }: Asked & { reason: string }): Promise<SyncPause> {
    return db.transaction().execute(async (transaction) => {
      const row = await only<PausesTable>(transaction)`
        insert into pauses (sync, paused_at, person, via, reason) values (${sync}, ${now}, ${by}, ${via}, ${reason})
        on conflict (sync) do update
          set paused_at = excluded.paused_at, person = excluded.person, via = excluded.via, reason = excluded.reason
        returning *
      `;
      await addDeedTo(transaction, now, { deed: 'pause', sync, by, via, reason });
      return toPause(row);
    });
  }

  /** Resumes a sync. Returns false if it was not paused. */
  function resume(sync: string, asked: Asked): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      if ((await change(transaction)`delete from pauses where sync = ${sync}`) === 0) return false;
      await addDeedTo(transaction, now, { deed: 'resume', sync, ...asked });
      return true;
    });
  }

  /** The pauses of all paused syncs. */
  async function pauses(): Promise<Map<string, SyncPause>> {
    return new Map((await all<PausesTable>(db)`select * from pauses`).map((row) => [row.sync, toPause(row)]));
  }
}

function toPause({ person, via, reason, paused_at }: PausesTable) {
  return { by: person, via, reason, since: new Date(paused_at).toISOString() };
}
