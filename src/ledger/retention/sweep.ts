import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { hasImage, isUndelivered, isWithoutItem } from '../database/conditions.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { change, only } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { forget as forgetRecord } from '../records/transitions.ts';
import { type Expired, expiredRows } from './expired-rows.ts';

/** Number of rows deleted at a time: few enough to keep the write lock only briefly. */
const BATCH = 5000;

export function createSweep(database: LedgerDatabase, engine: 'sqlite' | 'postgresql') {
  const { db } = database;
  return { run };

  /** Deletes expired rows in batches until the signal ends it; the next sweep continues there. Returns how many. */
  async function run(retention: RetentionConfig, signal: AbortSignal): Promise<number> {
    const expired = await expiredRows(retention, database);
    let count = await inBatches((limit) => forgetRecords(database, retention, limit));
    for (const rows of expired) count += await inBatches((limit) => remove(rows, limit));
    count += await inBatches((limit) => forgetImages(database, retention, limit));
    if (engine === 'sqlite') await compact(database, signal);
    return count;

    function inBatches(forget: (limit: number) => Promise<number>): Promise<number> {
      return inChunks(signal, database.runtime, async () => {
        const done = await forget(BATCH);
        return { done, isLast: done < BATCH };
      });
    }
  }

  function remove({ table, key, where }: Expired, limit: number): Promise<number> {
    const columns: RawBuilder<unknown> = sql.join(key.map((column) => sql.ref(column)));
    return change(db)`
      delete from ${sql.table(table)}
      where (${columns}) in (select ${columns} from ${sql.table(table)} where ${where} limit ${limit})
    `;
  }
}

/** Number of pages returned at a time: some 4 MB. */
const STEP = 1000;
/** Share of the pages that may stay free, for the next runs. */
const KEPT_FREE = 0.1;

/** Returns free pages of a SQLite ledger to the file system, some at a time, until the signal ends it. */
async function compact({ db, runtime }: LedgerDatabase, signal: AbortSignal): Promise<void> {
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

function pagesOf(db: Kysely<LedgerTables>): Promise<{ free: number; pages: number }> {
  return only<{ free: number; pages: number }>(db)`
    select freelist_count as free, page_count as pages from pragma_freelist_count, pragma_page_count
  `;
}

/** Longer than a process waits before it tries again to take SQLite's write lock. */
const SHORTEST_PAUSE_MS = 20;

/**
 * Does work in chunks until nothing is left or the signal ends it, and returns how much was done. Pauses between chunks for as
 * long as the last chunk took, to let other writers in.
 */
async function inChunks(
  signal: AbortSignal,
  { monotonic, sleep }: Pick<Clock, 'monotonic' | 'sleep'>,
  doChunk: () => Promise<{ done: number; isLast: boolean }>,
): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const begunAt = monotonic();
    const { done, isLast } = await doChunk();
    sum += done;
    if (isLast) break;
    await sleep(Math.max(SHORTEST_PAUSE_MS, monotonic() - begunAt), { signal }).catch(() => {});
  }
  return sum;
}

/**
 * Deletes records, with their histories, that are neither in the CMS nor wanted there, if they have not changed for long:
 * records that feedferry has removed, and records that were never delivered and are no longer in the source. Returns how many.
 */
export function forgetRecords(
  { db, now }: LedgerDatabase,
  { runsMs }: RetentionConfig,
  limit: number,
): Promise<number> {
  const since = sql`${now} - ${runsMs}`;
  return db.transaction().execute(async (transaction) => {
    const isForgotten = sql`(sync, key) in (
      select sync, key from records
      where ${isUndelivered} and ${isWithoutItem}
        and not exists (select 1 from runs where runs.id = records.run and started_at >= ${since})
        and not exists (
          select 1 from attempts
          where attempts.record = records.id and settled_at >= ${since}
        )
      limit ${limit}
    )`;
    const forgotten = forgetRecord<{ sync: string; key: string }>(isForgotten, sql`sync, key`);
    const { rows } = await forgotten.execute(transaction);
    for (const [sync, deleted] of Map.groupBy(rows, (row) => row.sync)) {
      const keys = deleted.map(({ key }) => key);
      await change(transaction)`delete from members where sync = ${sync} and ${isOneOf('cluster', keys)}`;
    }
    return rows.length;
  });
}

/** Deletes the images of changes that are too old to be undone. Returns the number of these changes. */
function forgetImages(
  { db, now }: LedgerDatabase,
  { beforeImagesMs }: RetentionConfig,
  limit: number,
): Promise<number> {
  return change(db)`
    update attempts set before = null, replaced = null, after = null
    where (record, seq) in (
      select record, seq from attempts where ${hasImage} and doubt is null and settled_at < ${now} - ${beforeImagesMs} limit ${limit}
    )
  `;
}
