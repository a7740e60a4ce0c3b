import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds indices for the events of a month that have an item: by their first day and, if they last several, by their last. */
export const eventDays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index records_by_day on records (starts_on, sync) where cms_id is not null`.execute(db);
    await sql`
      create index records_lasting on records (ends_on, starts_on) where cms_id is not null and ends_on > starts_on
    `.execute(db);
  },
};
