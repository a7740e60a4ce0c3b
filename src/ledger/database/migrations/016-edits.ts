import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds what an edit of a sync file has changed, as a patch without context, so that it can be taken back. */
export const edits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table deeds add column patch text').execute(db);
  },
};
