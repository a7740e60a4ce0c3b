import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lets an upload find other files with the same path. */
export const uploadsBySrc: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('create index if not exists uploads_by_src on uploads (target, src)').execute(db);
  },
};
