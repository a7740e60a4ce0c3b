import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds indices for what was read from end to end: by `status` and approvals, for each sync, and by every sweep. */
export const indices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index runs_held on runs (sync) where held_set is not null`.execute(db);
    await sql`create index uploads_by_use on uploads (used_at)`.execute(db);
    await sql`create index remote_files_by_use on remote_files (checked_at)`.execute(db);
  },
};
