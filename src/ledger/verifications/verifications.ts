import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** Results of the verifications. */
export function createVerificationStore({ db, now }: LedgerDatabase) {
  return { beginVerification, finishVerification, failVerification, verifiedAgo, lastDrift };

  /** Notes that a sync is being verified. Returns the beginning, in ms since 1970 by the ledger's clock. */
  async function beginVerification(sync: string): Promise<number> {
    const begun = { id: randomUUID(), began_at: now };
    const { began_at } = await db
      .insertInto('verifications')
      .values({ sync, ...begun })
      .onConflict((conflict) => conflict.column('sync').doUpdateSet({ began_at: now }))
      .returning('began_at')
      .executeTakeFirstOrThrow();
    return Number(began_at);
  }

  /** Keeps a result that is certain: how many differences there are, and a summary of them. */
  async function finishVerification(sync: string, drift: number, summary: string): Promise<void> {
    await db.updateTable('verifications').set({ id: randomUUID(), drift, summary }).where('sync', '=', sync).execute();
  }

  /** Has a sync verified again sooner than it would be: as if its verification had begun so long ago. */
  async function failVerification(sync: string, agoMs: number): Promise<void> {
    const began_at = sql<number>`${now} - ${agoMs}`;
    await db.updateTable('verifications').set({ began_at }).where('sync', '=', sync).execute();
  }

  /** What the last verification that could tell has found; undefined: nothing, or there was none. */
  async function lastDrift(sync: string): Promise<{ differences: number; summary: string } | undefined> {
    const found = db.selectFrom('verifications').select(['drift', 'summary']).where('sync', '=', sync);
    const row = await found.where('drift', '>', 0).executeTakeFirst();
    return row && { differences: row.drift ?? 0, summary: row.summary ?? '' };
  }

  /** How long ago the last verification of a sync began, in ms by the ledger's clock; undefined: there was none. */
  async function verifiedAgo(sync: string): Promise<number | undefined> {
    const ago = sql<number>`${now} - began_at`.as('ago');
    const row = await db.selectFrom('verifications').select(ago).where('sync', '=', sync).executeTakeFirst();
    return row && Math.max(0, Number(row.ago));
  }
}
