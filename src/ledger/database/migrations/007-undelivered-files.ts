import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // JSON object: attribute → why the record was delivered without its file, since when, and how often it was tried; null: it has all
  `alter table records add column undelivered_files text check (undelivered_files is null or delivered is not null)`,
  // Not tried before; null: by the next run
  `alter table records add column files_retry_at bigint check (files_retry_at is null or undelivered_files is not null)`,
  'create index records_without_files on records (sync, key) where undelivered_files is not null',
  // Whether the change tries undelivered files again: 'only' them, or other attributes 'also'; null: no
  `alter table staged_changes add column retries_files text check (retries_files in ('only', 'also'))`,
  // How many records of the sync were without a file when the run ended; null: unknown
  'alter table runs add column without_files integer',
];

/** Adds what is known of files that were not delivered with their records. */
export const undeliveredFiles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
