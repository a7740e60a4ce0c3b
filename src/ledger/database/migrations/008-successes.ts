import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Whether the run counts as a success (`countsAsSuccess` of core/run.ts): a partial one may
  'alter table runs add column succeeded integer not null default 0',
  // When the last of these runs that counts as a success ended; null: none did
  'alter table run_totals add column last_success_at bigint',
  // JSON array: ids of the problems that the last message was about and that the run still has; null: no message was sent
  'alter table alerts add column reported text',
  'create index runs_undoes on runs (undoes) where undoes is not null',
  `update runs set succeeded = 1 where status = 'success' or (
    status = 'partial' and complete = 1 and counts like '%"failed":0,%' and counts like '%"unremoved":0,%'
  )`,
  `update run_totals set last_success_at = case when status = 'success' then last_finished_at else (
    select max(finished_at) from runs
    where runs.sync = run_totals.sync and runs.status = run_totals.status and runs.succeeded = 1 and runs.kind in ('run', 'approve')
  ) end where status in ('success', 'partial') and kind = 'run'`,
];

/** Adds which runs count as a success, which problems were reported, and what finds the undo of a run. */
export const successes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
