import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// `pace`, JSON object: how many requests the target takes, as all processes have found out; null: not yet known.

/** Adds what `target.concurrency: auto` finds out about a target. */
export const pace: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table targets add column pace text`.execute(db);
  },
};
