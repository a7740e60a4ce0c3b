import type { LedgerDatabase } from './schema.ts';

/** Where an uploaded file may be used again: same site and calendar instance, same attribute, same content. */
export interface UploadKey {
  destination: string;
  attribute: string;
  sha256: string;
}

export interface UploadStore {
  /** The `src` under which the CMS has the content, if it was uploaded before. */
  find(key: UploadKey): Promise<string | undefined>;
  add(key: UploadKey, src: string): Promise<void>;
}

export function createUploadStore({ db, now }: LedgerDatabase): UploadStore {
  return {
    async find({ destination, attribute, sha256 }) {
      const row = await db
        .selectFrom('uploads')
        .select('src')
        .where('destination', '=', destination)
        .where('attribute', '=', attribute)
        .where('sha256', '=', sha256)
        .executeTakeFirst();
      return row?.src;
    },
    async add(key, src) {
      await db
        .insertInto('uploads')
        .values({ ...key, src, uploaded_at: now })
        .onConflict((conflict) => conflict.columns(['destination', 'attribute', 'sha256']).doUpdateSet({ src }))
        .execute();
    },
  };
}
