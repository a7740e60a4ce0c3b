import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const table = `
-- What a person has decided about a record, until what it is about changes.
create table answers (
  sync text not null,
  key text not null,
  kind text not null, -- the question: 'alike': whether the record is the same as an item that looks like it
  about_hash text not null, -- of what the answer is about: with another hash, the question is open again
  answer text not null,
  person text not null, -- the name given at log-in, or the user of the machine
  answered_at bigint not null,
  used_at bigint not null, -- when a run has last needed the answer, to the day
  note text,
  primary key (sync, key, kind)
)
`;

/** Adds the answers of people to questions about records. */
export const answers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(table).execute(db);
  },
};
