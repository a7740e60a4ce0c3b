import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `-- Who asked for runs, and decided about held plans.
  create table deeds (
    run text not null, -- the run that it began; of a rejection, the held run
    deed text not null,
    sync text not null,
    done_at bigint not null,
    doer text not null, -- the name given at log-in, or the user of the machine
    via text not null,
    about text, -- the run that was approved or undone
    reason text,
    primary key (run, deed),
    check (deed in ('run', 'retry', 'approve', 'reject', 'undo', 'adopt', 'purge', 'release')),
    check (via in ('console', 'api', 'cli'))
  )`,
  'create index deeds_by_sync on deeds (sync, done_at)',
  'create index deeds_by_about on deeds (about) where about is not null',
  // Held plans, failures and the changes of a run are read in pages.
  `create index staged_changes_by_op on staged_changes (run, op, key)
    where op in ('create', 'update', 'delete', 'mark')`,
  `create index records_undelivered_by_run on records (run, key)
    where error_code is not null and status <> 'delivered'`,
  'drop index history_by_run',
  'create index history_by_run on history (run, sync, key)',
];

/** Adds who did what, and lets large plans and runs be read in pages. */
export const deeds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
