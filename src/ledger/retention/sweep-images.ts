import { sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import { hasImage } from '../database/partial-indexes.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** Forgets what items were before changes that lie long back: these cannot be undone any more. Answers how many. */
export async function forgetImages(
  { db, now }: LedgerDatabase,
  { beforeImagesMs }: RetentionConfig,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update history set before = null, replaced = null, after = null
    where (sync, key, seq) in (
      select sync, key, seq from history where ${hasImage} and settled_at < ${now} - ${beforeImagesMs} limit ${limit}
    )
  `.execute(db);
  return Number(numAffectedRows);
}
