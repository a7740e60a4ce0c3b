import { sql } from 'kysely';
import type { RemoteFiles } from '../../core/attachment.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { NOTED_EVERY_MS } from './uploads.ts';

/** Remembers remote files as they were when last requested. */
export function createRemoteFileStore({ db, now }: LedgerDatabase): RemoteFiles {
  return {
    async find(locationHash) {
      const row = await db
        .selectFrom('remote_files')
        .select(['sha256', 'etag', 'last_modified'])
        .select(sql<number>`case when checked_at < ${now} - ${NOTED_EVERY_MS} then 1 else 0 end`.as('is_old'))
        .where('location_hash', '=', locationHash)
        .executeTakeFirst();
      if (!row) return undefined;
      // A file without validators is not stored again, so its use is recorded here.
      if (row.is_old === 1) await keep(locationHash);
      return {
        sha256: row.sha256,
        ...(row.etag === null ? {} : { etag: row.etag }),
        ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
      };
    },

    async remember(locationHash, { sha256, etag = null, lastModified = null }) {
      const columns = { sha256, etag, last_modified: lastModified, checked_at: now };
      await db
        .insertInto('remote_files')
        .values({ location_hash: locationHash, ...columns })
        .onConflict((conflict) => conflict.column('location_hash').doUpdateSet(columns))
        .execute();
    },
  };

  async function keep(locationHash: string): Promise<void> {
    await db.updateTable('remote_files').set({ checked_at: now }).where('location_hash', '=', locationHash).execute();
  }
}
