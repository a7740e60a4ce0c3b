import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// One statement at a time.
const schema = `
-- JSON object: what the CMS made of delivered attributes that it does not show as they were sent; null: of none
alter table records add column made_by_cms text;

-- As far as the histories still tell. What is missing here looks edited until it is delivered again.
update records set made_by_cms = (
  select after from history
  where history.sync = records.sync and history.key = records.key and after is not null order by seq desc limit 1
) where cms_id is not null;

-- The last verification of each sync: whether its items are what was delivered.
create table verifications (
  sync text not null primary key,
  id text not null,
  began_at bigint not null,
  drift integer, -- how many differences the last one that could tell has found; null: none could tell yet
  summary text -- the differences by their causes: "7 edited, 5 deleted"
);

create table old_alerts as select * from alerts;
drop table alerts;
create table alerts (
  sync text not null,
  kind text not null,
  channel text not null,
  run text not null, -- the last run that had the problem; of a stale sync the last good one, or empty; of drift a verification
  since bigint not null,
  pending_count integer not null, -- occurrences that were not reported yet
  sent_count integer not null, -- messages about it; 0 again once its end was reported
  last_sent_at bigint,
  resolved_at bigint, -- null: not over
  attempts integer not null, -- failed sendings in a row
  retry_at bigint,
  claim_token text, -- fencing token of the process that is sending it
  claim_until bigint,
  primary key (sync, kind, channel),
  check (kind in ('failed', 'held', 'drift', 'empty', 'partial', 'stale'))
);
insert into alerts select * from old_alerts;
drop table old_alerts;
`;

/** Adds what `verify` needs: what the CMS made of what it was sent, results, and alerts about drift. */
export const verifications: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of schema.split(/;\n/)) {
      if (statement.trim() !== '') await sql.raw(statement).execute(db);
    }
  },
};
