import { sql } from 'kysely';
import { openDatabase } from '../../src/ledger/database/open.ts';
import type { LedgerUnderTest } from './ledger.ts';

/** Shifts the times that the ledger has for a target, as if the ledger's clock had been set forward or back. */
export async function setTargetClock(ledger: LedgerUnderTest, target: string, byMs: number): Promise<void> {
  const { db } = await openDatabase(ledger);
  await db
    .updateTable('targets')
    .set('paused_until', sql`paused_until - ${byMs}`)
    .set('probe_until', sql`probe_until - ${byMs}`)
    .where('target', '=', target)
    .execute();
  await db.destroy();
}
