import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// `source_hash`: of the source record that is mapped to what `hash` is of, and of all that decides how; null: unknown, or something
// else decides, too. A source record with the same one need not be mapped again (docs/decisions/027-source-hashes.md).

/** Adds what recognises source records that have not changed. */
export const sourceHashes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table records add column source_hash text`.execute(db);
    await sql`alter table staged_changes add column source_hash text`.execute(db);
  },
};
