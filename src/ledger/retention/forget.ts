import { sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import { isUndelivered } from '../database/partial-indexes.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/**
 * Forgets records, with their histories, that are neither in the CMS nor wanted there, once nothing has happened to them
 * for long: those that feedferry itself has removed, and those that never got through and that the source has no more.
 * Answers how many.
 */
export function forgetRecords(
  { db, now }: LedgerDatabase,
  { runsMs }: RetentionConfig,
  limit: number,
): Promise<number> {
  const since = sql`${now} - ${runsMs}`;
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ sync: string; key: string }>`
      delete from records where (sync, key) in (
        select sync, key from records
        where ${isUndelivered}
          and (status = 'removed' or (status in ('pending', 'failed', 'held') and not_retried = 1 and cms_id is null))
          and create_unconfirmed = 0
          and not exists (select 1 from runs where runs.id = records.run and started_at >= ${since})
          and not exists (
            select 1 from history
            where history.sync = records.sync and history.key = records.key and settled_at >= ${since}
          )
        limit ${limit}
      ) returning sync, key
    `.execute(transaction);
    for (const [sync, gone] of Map.groupBy(rows, (row) => row.sync)) {
      const keys = gone.map(({ key }) => key);
      await transaction.deleteFrom('history').where('sync', '=', sync).where('key', 'in', keys).execute();
    }
    return rows.length;
  });
}
