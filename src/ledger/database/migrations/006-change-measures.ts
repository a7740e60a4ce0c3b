import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds how near each run came to the limits of `changes`. */
export const changeMeasures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // JSON array: what the plan does to published records, by limit; null: the run was not judged
    await sql.raw('alter table runs add column measures text').execute(db);
  },
};
