import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** Log-ins to the console, for all processes that serve it. */
export function createSessionStore({ db, now }: LedgerDatabase) {
  return { begin, find, end };

  /** Begins a session, unless one with this id has begun. */
  async function begin(
    { idHash, mark, name }: { idHash: string; mark: string; name: string | null },
    lifetimeMs: number,
  ): Promise<void> {
    const until = sql<number>`${now} + ${lifetimeMs}`;
    const row = { id_hash: idHash, mark, name, until };
    await db
      .insertInto('sessions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Returns undefined if the session has ended. */
  async function find(idHash: string): Promise<{ mark: string; name: string | null } | undefined> {
    const ofId = db.selectFrom('sessions').select(['mark', 'name']).where('id_hash', '=', idHash);
    return ofId.where(sql<boolean>`until > ${now}`).executeTakeFirst();
  }

  async function end(idHash: string): Promise<void> {
    await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
  }
}
