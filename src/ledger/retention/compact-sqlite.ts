import { type Kysely, sql } from 'kysely';
import { patiently } from '../database/in-chunks.ts';
import type { LedgerTables } from '../database/schema.ts';

/** Pages that are given back at a time: some 4 MB. */
const STEP = 1000;
/** What may stay free, for what the next runs write. */
const KEPT_FREE = 0.1;

/**
 * Gives disk space that a SQLite ledger does not need any more back, some at a time, until the signal ends it. Databases
 * that were made before feedferry did so keep theirs until somebody says VACUUM.
 */
export async function compact(db: Kysely<LedgerTables>, signal: AbortSignal): Promise<void> {
  const freed = await patiently(signal, async () => {
    const { free, pages } = await pagesOf(db);
    const spare = Math.min(STEP, Math.floor(free - pages * KEPT_FREE));
    if (spare <= 0) return { done: 0, isLast: true };
    await sql`pragma incremental_vacuum(${sql.lit(spare)})`.execute(db);
    const done = free - (await pagesOf(db)).free;
    return { done, isLast: done < STEP };
  });
  // Only then the file itself becomes shorter.
  if (freed > 0) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function pagesOf(db: Kysely<LedgerTables>): Promise<{ free: number; pages: number }> {
  const { rows } = await sql<{ free: number; pages: number }>`
    select freelist_count as free, page_count as pages from pragma_freelist_count, pragma_page_count
  `.execute(db);
  return rows[0] ?? { free: 0, pages: 0 };
}
