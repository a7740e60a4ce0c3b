import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const table = `
-- When each person with a name last looked at the console. A visit ends when its person opens no page for a while.
create table visits (
  person text primary key not null,
  since bigint, -- end of the visit before this one; null: this is the first one
  seen_at bigint not null -- of the last page, to some minutes
)
`;

/** Adds the visits of people to the console. */
export const visits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(table).execute(db);
  },
};
