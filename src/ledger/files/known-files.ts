import { sql } from 'kysely';
import type { FileFacts, RemoteFiles } from '../../core/attachment.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { LedgerDatabase, RemoteFilesTable } from '../database/schema.ts';
import { all, cell, change, one } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';

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
  return { findUpload, addUpload, keepUploads, forgetUploads };

  /** The `src` of the content in the CMS, if it was uploaded before. */
  function findUpload({ targetId, attribute, sha256 }: UploadKey): Promise<string | undefined> {
    return cell<string>(db)`
      select src from uploads where target = ${targetId} and attribute = ${attribute} and sha256 = ${sha256}
    `;
  }

  /** Returns true if the path is that of another content of the target: then it is not remembered. */
  function addUpload(key: UploadKey, src: string): Promise<boolean> {
    return add({ ...key, src });
  }

  async function addAll(uploads: ReadonlyArray<UploadKey & { src: string }>): Promise<boolean[]> {
    const areTaken: boolean[] = [];
    for (const { targetId, attribute, sha256, src } of uploads) {
      const rows = await all(db)`
        insert into uploads (target, attribute, sha256, src, uploaded_at, used_at)
        select cast(${targetId} as text), cast(${attribute} as text), cast(${sha256} as text), cast(${src} as text), ${now}, ${now}
        where not exists (select 1 from uploads where target = ${targetId} and src = ${src} and sha256 <> ${sha256})
        on conflict (target, attribute, sha256) do update set src = excluded.src, used_at = excluded.used_at
        returning src
      `;
      areTaken.push(rows.length === 0);
    }
    return areTaken;
  }

  /** Forgets that a target has a content, because it has lost it; without a content: that it has any. */
  async function forgetUploads(target: string, content?: Omit<UploadKey, 'targetId'>): Promise<void> {
    const isIt = content ? sql`and attribute = ${content.attribute} and sha256 = ${content.sha256}` : sql``;
    await change(db)`delete from uploads where target = ${target} ${isIt}`;
  }

  /** Records that a source still has contents, so that their files are kept. */
  async function keepUploads(target: string, contents: ReadonlyArray<Omit<UploadKey, 'targetId'>>): Promise<void> {
    for (const [attribute, sameAttribute] of Map.groupBy(contents, (content) => content.attribute)) {
      const hashes = [...new Set(sameAttribute.map(({ sha256 }) => sha256))];
      await change(db)`
        update uploads set used_at = ${now}
        where target = ${target} and attribute = ${attribute} and ${isOneOf('sha256', hashes)}
          and used_at < ${now} - ${NOTED_EVERY_MS}
      `;
    }
  }
}

/** Remembers remote files as they were when last requested. */
export function createRemoteFileStore({ db, now }: LedgerDatabase): RemoteFiles {
  return {
    async find(locationHash) {
      const row = await one<RemoteFilesTable & { is_old: number }>(db)`
        select *, case when checked_at < ${now} - ${NOTED_EVERY_MS} then 1 else 0 end as is_old
        from remote_files where location_hash = ${locationHash}
      `;
      if (!row) return undefined;
      // A file without validators is not stored again, so its use is recorded here.
      if (row.is_old === 1) {
        await change(db)`update remote_files set checked_at = ${now} where location_hash = ${locationHash}`;
      }
      return {
        sha256: row.sha256,
        ...(row.etag === null ? {} : { etag: row.etag }),
        ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
        ...(row.facts === null ? {} : { facts: JSON.parse(row.facts) as FileFacts }),
      };
    },

    async remember(locationHash, { sha256, etag = null, lastModified = null, facts }) {
      await change(db)`
        insert into remote_files (location_hash, sha256, etag, last_modified, facts, checked_at)
        values (${locationHash}, ${sha256}, ${etag}, ${lastModified}, ${facts ? JSON.stringify(facts) : null}, ${now})
        on conflict (location_hash) do update set sha256 = excluded.sha256, etag = excluded.etag,
          last_modified = excluded.last_modified, facts = excluded.facts, checked_at = excluded.checked_at
      `;
    },
  };
}
