import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A sync in this table is paused: no run of it reads its feed until it is resumed.
  `create table pauses (
    sync text not null primary key,
    paused_at bigint not null,
    person text not null, -- the name given at log-in, or the user of the machine
    via text not null,
    reason text not null
  )`,
  // The processes that run syncs on their schedules
  `create table schedulers (
    holder text not null primary key,
    started_at bigint not null,
    seen_at bigint not null,
    ended_at bigint -- null: it has not ended, as far as is known
  )`,
  // Who cancelled the run and why, in words; null: nobody did. Nothing begins for the run any longer.
  'alter table runs add column cancelled text',
  // Not every deed is about a run, and the list of deeds grows.
  `create table deeds_of_all_kinds (
    run text, -- the run that it began; of a rejection, the held run; null: it is about the sync
    deed text not null,
    sync text not null,
    done_at bigint not null,
    doer text not null, -- the name given at log-in, or the user of the machine
    via text not null,
    about text, -- the run that was approved or undone
    reason text,
    check (via in ('console', 'api', 'cli'))
  )`,
  `insert into deeds_of_all_kinds (run, deed, sync, done_at, doer, via, about, reason)
    select run, deed, sync, done_at, doer, via, about, reason from deeds`,
  'drop table deeds',
  'alter table deeds_of_all_kinds rename to deeds',
  'create unique index deeds_by_run on deeds (run, deed)',
  'create index deeds_by_sync on deeds (sync, done_at)',
  'create index deeds_by_about on deeds (about) where about is not null',
];

/** Adds pauses of syncs, schedulers, cancelled runs, and deeds that are not about a run. */
export const pauses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
