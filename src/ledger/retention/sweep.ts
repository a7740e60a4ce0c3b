import { type RawBuilder, sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import { inChunks } from '../database/in-chunks.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { compact } from './compact-sqlite.ts';
import { type Expired, expiredRows } from './expired-rows.ts';
import { forgetImages, forgetRecords } from './forget.ts';

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

  async function remove({ table, key, where }: Expired, limit: number): Promise<number> {
    const columns: RawBuilder<unknown> = sql.join(key.map((column) => sql.ref(column)));
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where (${columns}) in (select ${columns} from ${sql.table(table)} where ${where} limit ${limit})
    `.execute(db);
    return Number(numAffectedRows);
  }
}
