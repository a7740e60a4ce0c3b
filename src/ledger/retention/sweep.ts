import { type RawBuilder, sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import { patiently } from '../database/in-chunks.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { compact } from './compact-sqlite.ts';
import { type Expired, expiredRows } from './expired-rows.ts';
import { forgetRecords } from './forget.ts';
import { forgetImages } from './sweep-images.ts';
import { abandonedPlans } from './sweep-staged.ts';

/** Rows that go at a time: few enough that nobody waits long for the write lock. */
const BATCH = 5000;

/** Keeps the ledger small and fast for years. */
export interface Sweep {
  /** Takes the turn of sweeping for all processes, unless one of them has taken it within the last `everyMs`. */
  takeTurn(everyMs: number): Promise<boolean>;
  /**
   * Forgets what is kept no longer, some thousand rows at a time, until the signal ends it; the next sweep goes on there.
   * Answers how many rows are gone.
   */
  run(retention: RetentionConfig, signal: AbortSignal): Promise<number>;
}

export function createSweep(database: LedgerDatabase, engine: 'sqlite' | 'postgresql'): Sweep {
  const { db, now } = database;
  return { takeTurn, run };

  async function takeTurn(everyMs: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('housekeeping')
      .values({ task: 'sweep', begun_at: now })
      .onConflict((conflict) =>
        conflict
          .column('task')
          .doUpdateSet({ begun_at: now })
          .where('housekeeping.begun_at', '<=', sql<number>`${now} - ${everyMs}`),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows > 0n;
  }

  async function run(retention: RetentionConfig, signal: AbortSignal): Promise<number> {
    const plans = await abandonedPlans(database);
    let gone = await inBatches((limit) => forgetRecords(database, retention, limit));
    for (const expired of expiredRows(retention, { now, abandonedPlans: plans })) {
      gone += await inBatches((limit) => remove(expired, limit));
    }
    gone += await inBatches((limit) => forgetImages(database, retention, limit));
    if (engine === 'sqlite') await compact(db, signal);
    return gone;

    function inBatches(forget: (limit: number) => Promise<number>): Promise<number> {
      return patiently(signal, async () => {
        const done = await forget(BATCH);
        return { done, isLast: done < BATCH };
      });
    }
  }

  async function remove({ table, key, rows }: Expired, limit: number): Promise<number> {
    const columns: RawBuilder<unknown> = sql.join(key.map((column) => sql.ref(column)));
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (${rows} limit ${limit})
    `.execute(db);
    return Number(numAffectedRows);
  }
}
