import { sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import { hasImage, isUndelivered, isWithoutItem } from '../database/conditions.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { isOneOf } from '../database/value-lists.ts';
import { forgetFollowers } from '../records/followers.ts';
import { forget as forgetRecord } from '../records/transitions.ts';

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
          where attempts.sync = records.sync and attempts.key = records.key and settled_at >= ${since}
        )
      limit ${limit}
    )`;
    const forgotten = forgetRecord<{ sync: string; key: string }>(isForgotten, sql`sync, key`);
    const { rows } = await forgotten.execute(transaction);
    for (const [sync, deleted] of Map.groupBy(rows, (row) => row.sync)) {
      const keys = deleted.map(({ key }) => key);
      await forgetFollowers(transaction, sql`sync = ${sync} and ${isOneOf('key', keys)}`);
      await transaction.deleteFrom('members').where('sync', '=', sync).where('cluster', 'in', keys).execute();
    }
    return rows.length;
  });
}

/** Deletes the images of changes that are too old to be undone. Returns the number of these changes. */
export async function forgetImages(
  { db, now }: LedgerDatabase,
  { beforeImagesMs }: RetentionConfig,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update attempts set before = null, replaced = null, after = null
    where (sync, key, seq) in (
      select sync, key, seq from attempts where ${hasImage} and doubt is null and settled_at < ${now} - ${beforeImagesMs} limit ${limit}
    )
  `.execute(db);
  return Number(numAffectedRows);
}
