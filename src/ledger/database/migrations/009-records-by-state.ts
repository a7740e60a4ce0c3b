import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lists the undelivered records of a sync and state in the order of their keys, so that they can be read in pages. */
export const recordsByState: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index records_undelivered`.execute(db);
    await sql`create index records_undelivered on records (sync, status, key) where status <> 'delivered'`.execute(db);
  },
};
