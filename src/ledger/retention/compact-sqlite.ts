import { type Kysely, sql } from 'kysely';
import { inChunks } from '../database/in-chunks.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';

/** Number of pages returned at a time: some 4 MB. */
const STEP = 1000;
/** Share of the pages that may stay free, for the next runs. */
const KEPT_FREE = 0.1;

/** Returns free pages of a SQLite ledger to the file system, some at a time, until the signal ends it. */
export async function compact({ db, runtime }: LedgerDatabase, signal: AbortSignal): Promise<void> {
  const freed = await inChunks(signal, runtime, async () => {
    const { free, pages } = await pagesOf(db);
    const spare = Math.min(STEP, Math.floor(free - pages * KEPT_FREE));
    if (spare <= 0) return { done: 0, isLast: true };
    await sql`pragma incremental_vacuum(${sql.lit(spare)})`.execute(db);
    const done = free - (await pagesOf(db)).free;
    return { done, isLast: done < STEP };
  });
  // Only the checkpoint shortens the file itself.
  if (freed > 0) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function pagesOf(db: Kysely<LedgerTables>): Promise<{ free: number; pages: number }> {
  const { rows } = await sql<{ free: number; pages: number }>`
    select freelist_count as free, page_count as pages from pragma_freelist_count, pragma_page_count
  `.execute(db);
  return rows[0] ?? { free: 0, pages: 0 };
}
