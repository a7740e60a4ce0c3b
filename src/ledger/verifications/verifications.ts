import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** Results of the verifications. */
export function createVerificationStore({ db, now, runtime }: LedgerDatabase) {
  return { beginVerification, finishVerification, failVerification, verifiedAgo, drifts };

  /** Records that a sync is being verified. Returns the beginning, in ms since 1970 by the ledger's clock. */
  async function beginVerification(sync: string): Promise<number> {
    const begun = { id: runtime.uuid(), began_at: now };
    const { began_at } = await db
      .insertInto('verifications')
      .values({ sync, ...begun })
      .onConflict((conflict) => conflict.column('sync').doUpdateSet({ began_at: now }))
      .returning('began_at')
      .executeTakeFirstOrThrow();
    return Number(began_at);
  }

  /** Stores a certain result: the number of differences, and a summary of them. */
  async function finishVerification(sync: string, drift: number, summary: string): Promise<void> {
    await db
      .updateTable('verifications')
      .set({ id: runtime.uuid(), drift, summary })
      .where('sync', '=', sync)
      .execute();
  }

  /** Makes the next verification of a sync due sooner: as if the last one had begun so long ago. */
  async function failVerification(sync: string, agoMs: number): Promise<void> {
    const began_at = sql<number>`${now} - ${agoMs}`;
    await db.updateTable('verifications').set({ began_at }).where('sync', '=', sync).execute();
  }

  /** The results of the last verifications that were certain, of the syncs with differences. */
  async function drifts() {
    const found = db.selectFrom('verifications').select(['sync', 'id', 'drift', 'summary']).where('drift', '>', 0);
    const rows = await found.execute();
    return rows.map(({ sync, id, drift, summary }) => ({ sync, id, differences: drift ?? 0, summary: summary ?? '' }));
  }

  /** How long ago the last verification of a sync began, in ms by the ledger's clock; undefined: the sync was never verified. */
  async function verifiedAgo(sync: string): Promise<number | undefined> {
    const ago = sql<number>`${now} - began_at`.as('ago');
    const row = await db.selectFrom('verifications').select(ago).where('sync', '=', sync).executeTakeFirst();
    return row && Math.max(0, Number(row.ago));
  }
}
