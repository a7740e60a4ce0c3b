import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // What the source repeats, such as the UID of a calendar's series; null: unknown
  'alter table records add column series text',
  'alter table staged_changes add column series text',
  'alter table backfill_work add column series text',
  // Which of its occurrences a record is: its day or time as the source writes it
  'alter table records add column slot text',
  'alter table staged_changes add column slot text',
  'alter table backfill_work add column slot text',
  // Key of the record whose item has a value that the CMS takes once only; null: none is known
  'alter table records add column refused_by text',
  // Hash of the record as it was read: one with the same key and hash repeats it
  'alter table staged_changes add column read_hash text',
  // The next run of each sync reads its feed and maps all records: this fills the columns, and applies today's reading of texts
  'update records set source_hash = null where source_hash is not null',
  "update runs set fingerprint = null where status <> 'held'",
];

/** Adds what recognises occurrences under new keys, repeated records, and what keeps the CMS from taking a record. */
export const seriesAndRefusals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
