import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// `paused_for`: how long the pause lasts from its begin, in ms; null: not known.

/** Adds how long a pause of a target lasts: more is left of it only if the clock of the ledger has gone back since. */
export const pauseLengths: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table targets add column paused_for bigint`.execute(db);
  },
};
