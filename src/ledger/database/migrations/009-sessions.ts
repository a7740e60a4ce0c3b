import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const table = `
-- Log-ins to the console. A log-out deletes the row, so it holds in all processes.
create table sessions (
  id_hash text primary key not null, -- of the secret in the cookie
  mark text not null, -- keyed hash of the token with which the session began: with another token, the session is over
  name text, -- as its user typed it, with a shared token
  until bigint not null
)
`;

/** Adds the sessions of the console. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(table).execute(db);
  },
};
