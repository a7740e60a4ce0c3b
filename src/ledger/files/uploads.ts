import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** How often the use of a file is recorded. */
export const NOTED_EVERY_MS = 86_400_000;

/** An uploaded file may be used again for the same target, attribute and content. */
export interface UploadKey {
  targetId: string;
  attribute: string;
  sha256: string;
}

export function createUploadStore({ db, now }: LedgerDatabase) {
  return { findUpload, addUpload, keepUploads, forgetUploads };

  /** The `src` of the content in the CMS, if it was uploaded before. */
  async function findUpload({ targetId, attribute, sha256 }: UploadKey): Promise<string | undefined> {
    const row = await db
      .selectFrom('uploads')
      .select('src')
      .where(({ and }) => and({ target: targetId, attribute, sha256 }))
      .executeTakeFirst();
    return row?.src;
  }

  async function addUpload({ targetId: target, ...content }: UploadKey, src: string): Promise<void> {
    await db
      .insertInto('uploads')
      .values({ target, ...content, src, uploaded_at: now, used_at: now })
      .onConflict((conflict) => conflict.columns(['target', 'attribute', 'sha256']).doUpdateSet({ src, used_at: now }))
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
