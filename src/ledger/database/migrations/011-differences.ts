import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `-- The differences between records and items of the CMS that the last verification with a certain result has found.
create table differences (
  sync text not null,
  seq integer not null,
  key text not null,
  cause text not null, -- 'edited', 'deleted' and so on
  cms_id bigint,
  attributes text not null, -- JSON array
  detail text not null, -- JSON object: the other record of a double, why something was not delivered, a hash of what the CMS has
  primary key (sync, seq)
)`,
  'create index differences_by_key on differences (sync, key)',
  // When the last verification ended, certain or not; null: the first one has not ended
  'alter table verifications add column ended_at bigint',
  // JSON object: what that verification has proven, or why it proved nothing
  'alter table verifications add column result text',
  // When the verification that has found the differences began
  'alter table verifications add column found_at bigint',
  // Who asked for the last verification; null: a schedule
  'alter table verifications add column asked_by text',
  'update verifications set ended_at = began_at, found_at = began_at',
  // Acknowledged problems are few among all answers.
  "create index answers_acknowledged on answers (sync, kind, key) where answer = 'acknowledged'",
];

/** Adds the differences that verifications find, and finds what a person has acknowledged. */
export const differences: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
