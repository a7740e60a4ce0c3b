import { sql } from 'kysely';
import type { RemoteFiles } from '../../core/attachment.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** How often the use of a file is recorded. */
export const NOTED_EVERY_MS = 86_400_000;

/** An uploaded file may be used again for the same target, attribute and content. */
export interface UploadKey {
  targetId: string;
  attribute: string;
  sha256: string;
}

export function createUploadStore({ db, now, runtime }: LedgerDatabase) {
  // One after the other: uploads of a moment may have the same path.
  const add = groupCommit(addAll, runtime, { gatherMs: 0 });
  return { findUpload, addUpload, keepUploads, forgetUpload, forgetUploads };

  /** The `src` of the content in the CMS, if it was uploaded before. */
  async function findUpload({ targetId, attribute, sha256 }: UploadKey): Promise<string | undefined> {
    const row = await db
      .selectFrom('uploads')
      .select('src')
      .where(({ and }) => and({ target: targetId, attribute, sha256 }))
      .executeTakeFirst();
    return row?.src;
  }

  /** Returns true if the path is that of another content of the target: then it is not remembered. */
  function addUpload(key: UploadKey, src: string): Promise<boolean> {
    return add({ ...key, src });
  }

  async function addAll(uploads: ReadonlyArray<UploadKey & { src: string }>): Promise<boolean[]> {
    const areTaken: boolean[] = [];
    for (const { targetId, attribute, sha256, src } of uploads) {
      const { rows } = await sql`
        insert into uploads (target, attribute, sha256, src, uploaded_at, used_at)
        select cast(${targetId} as text), cast(${attribute} as text), cast(${sha256} as text), cast(${src} as text), ${now}, ${now}
        where not exists (select 1 from uploads where target = ${targetId} and src = ${src} and sha256 <> ${sha256})
        on conflict (target, attribute, sha256) do update set src = excluded.src, used_at = excluded.used_at
        returning src
      `.execute(db);
      areTaken.push(rows.length === 0);
    }
    return areTaken;
  }

  /** Forgets that a target has a content. */
  async function forgetUpload({ targetId: target, attribute, sha256 }: UploadKey): Promise<void> {
    await db
      .deleteFrom('uploads')
      .where(({ and }) => and({ target, attribute, sha256 }))
      .execute();
  }

  /** Forgets which files a target has, for example because it has lost some of them. */
  async function forgetUploads(target: string): Promise<void> {
    await db.deleteFrom('uploads').where('target', '=', target).execute();
  }

  /** Records that a source still has contents, so that their files are kept. */
  async function keepUploads(target: string, contents: ReadonlyArray<Omit<UploadKey, 'targetId'>>): Promise<void> {
    for (const [attribute, sameAttribute] of Map.groupBy(contents, (content) => content.attribute)) {
      const hashes = [...new Set(sameAttribute.map(({ sha256 }) => sha256))];
      await db
        .updateTable('uploads')
        .set({ used_at: now })
        .where(({ and }) => and({ target, attribute }))
        .where('sha256', 'in', hashes)
        .where('used_at', '<', sql<number>`${now} - ${NOTED_EVERY_MS}`)
        .execute();
    }
  }
}

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
