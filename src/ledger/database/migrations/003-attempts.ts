import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type FormerRecord, openAttemptsOf } from './003-former-doubt.ts';

const records = `
-- One row for each record of each sync: what the source has, what the CMS has, and the delivery of the difference.
-- docs/development/record-states.md lists the states of a record, and what moves it from one to another.
create table records (
  -- Identity
  sync text not null,
  key text not null,
  resource text not null, -- "events", "accounts"
  place text not null, -- where the source has it: "events.csv:71"

  -- Desired: as last read and mapped from the source
  desired text not null, -- JSON object: attributes
  attachments text not null, -- JSON array: files, with their fingerprints
  hash text not null, -- of both
  source_hash text, -- of the source record, and of all that decides how it is mapped to what hash is of: a source record with the
    -- same one need not be mapped again (docs/decisions/README.md); null: unknown, or something else decides, too
  starts_on text, -- first day of an event, ISO date
  ends_on text, -- last day
  series text, -- what the source repeats, such as the UID of a calendar's series; null: unknown
  slot text, -- which of its occurrences the record is: its day or time as the source writes it
  password text, -- for the create of an account; encrypted, and deleted once the CMS has the account
  run text not null, -- the run that last wanted a change

  -- Goal
  action text, -- null: the item gets what the source has; 'delete' it, or write the desired attributes only: 'mark' a missing
    -- record, 'restore' what a change replaced
  expected_item_hash text, -- of the item when an undo was decided; if it has changed since, it is left alone
  not_retried integer not null default 0, -- the source no longer has or wants the record, which was never delivered

  -- Item: as last confirmed by the CMS
  knows text not null default 'none', -- what is known of the item: 'none'; 'refused': the CMS answered every create with an
    -- error; 'maybe': a create may have made one; 'found' by a look-up, and not confirmed; 'known'; 'maybeGone': a delete may have removed it
  cms_id bigint, -- its id; null: the record has none
  is_adopted integer not null default 0, -- the item existed before feedferry knew it
  delivered text, -- JSON object: attributes
  delivered_attachments text, -- JSON object: attribute → fingerprint
  delivered_hash text, -- null: some of it (an unreadable file) is still to be delivered
  delivered_at bigint,
  made_by_cms text, -- JSON object: what the CMS made of delivered attributes that it does not show as they were sent; null: of none
  editor_state text, -- JSON object: attribute → what is remembered to recognise and keep editors' changes
  attributes_before_mark text, -- JSON object: what marking the item replaced; null: it is not marked

  -- Work
  status text not null, -- 'pending' until it is settled; 'deleted' by others in the CMS; 'removed' there by feedferry
  outcome text, -- of the last delivery; null: not settled
  claim_token text, -- fencing token of the worker that is delivering the record, or was the last to do so: writing a result with an
    -- older one has no effect
  claim_holder text, -- host, process and a token of the process
  claim_until bigint, -- null: not claimed
  quiet_since bigint, -- when earlier claims had lapsed or ended: since then none of their requests is under way
  attempts integer not null default 0,
  upload_count integer not null default 0, -- files uploaded for it in its run
  retry_at bigint, -- not claimed before
  error_code text,
  error_reason text,
  refused_hash text, -- of what the CMS refused for good: content, and the configuration that decides how it is sent
  refused_by text, -- key of the record whose item has a value that the CMS takes once only; null: none is known

  -- Absence: the source no longer has it
  missing_since bigint,
  missing_runs integer not null default 0, -- in a row

  primary key (sync, key),
  check (action in ('delete', 'mark', 'restore')),
  check (knows in ('none', 'refused', 'maybe', 'found', 'known', 'maybeGone')),
  check (status in ('pending', 'delivered', 'failed', 'held', 'deleted', 'removed')),
  check (outcome in ('created', 'updated', 'unchanged', 'removed', 'failed', 'held', 'skipped')),
  check (is_adopted in (0, 1) and not_retried in (0, 1)),
  check ((cms_id is null) = (knows in ('none', 'refused', 'maybe'))),
  check (delivered is null or cms_id is not null),
  check (knows <> 'known' or delivered is not null),
  check (status <> 'delivered' or knows = 'known'),
  check (status not in ('removed', 'deleted') or knows = 'none')
);
`;

const recordIndexes = `
create index records_by_run on records (run, status);
create index records_by_cms_id on records (resource, cms_id);
-- The undelivered records of a sync and state are read in pages, and so are those of a run.
create index records_undelivered on records (sync, status, key) where status <> 'delivered';
create index records_undelivered_by_run on records (run, key) where error_code is not null and status <> 'delivered';
create index records_in_cms on records (sync, key) where cms_id is not null;
-- The events of a month that have an item: by their first day and, if they last several, by their last.
create index records_by_day on records (starts_on, sync) where cms_id is not null;
create index records_lasting on records (ends_on, starts_on) where cms_id is not null and ends_on > starts_on;
`;

const attempts = `
-- The last attempts to deliver each record: one row for each call that writes its item, written before the call may leave the
-- process, and for each turn in which nothing was sent. A row is open while the CMS may have what its call sent.
create table attempts (
  sync text not null,
  key text not null,
  seq integer not null, -- counts the attempts of a record
  run text not null,
  claim_token text, -- of the claim under which the call is sent; null: nothing was sent
  method text, -- of the call; null: nothing was sent
  begun_at bigint not null,
  doubt text, -- null: none. 'sent': the CMS may have applied it; 'refused': it answered a create with an error, and is asked before
    -- another create; 'elsewhere': nothing was sent, but the CMS may have an item with this body
  body text, -- JSON object: the attributes that were sent, while the row is open; null: records.desired
  settled_at bigint, -- null: there was no answer yet
  outcome text, -- of the attempt; null: not settled
  attributes text, -- JSON array: names of the attributes sent
  upload_count integer not null default 0,
  cms_id bigint,
  before text, -- JSON object: the item before; of a delete, all of it
  replaced text, -- JSON object: what feedferry had delivered, if the item had something else by then
  after text, -- JSON object: what the CMS made of what was sent, if that differs; of a create, all of it
  error_code text,
  error_reason text,
  primary key (sync, key, seq),
  check (outcome in ('created', 'updated', 'unchanged', 'removed', 'retry', 'failed', 'held', 'deleted')),
  check (method in ('POST', 'PATCH', 'DELETE')),
  check (doubt in ('sent', 'refused', 'elsewhere')),
  check (body is null or doubt is not null)
) without rowid;
`;

const attemptIndexes = `
create index attempts_open on attempts (sync, key) where doubt is not null;
create index attempts_by_run on attempts (run, sync, key);
create index attempts_images on attempts (settled_at) where (before is not null or after is not null);
`;

/** The columns that records have had before, too. */
const kept = [
  ...[
    'sync',
    'key',
    'resource',
    'place',
    'desired',
    'attachments',
    'hash',
    'source_hash',
    'starts_on',
    'ends_on',
    'series',
  ],
  ...['slot', 'password', 'run', 'action', 'expected_item_hash', 'not_retried', 'is_adopted', 'delivered_attachments'],
  ...[
    'delivered_hash',
    'delivered_at',
    'made_by_cms',
    'editor_state',
    'attributes_before_mark',
    'outcome',
    'claim_token',
  ],
  ...[
    'claim_holder',
    'claim_until',
    'quiet_since',
    'attempts',
    'upload_count',
    'retry_at',
    'error_code',
    'error_reason',
  ],
  ...['refused_hash', 'refused_by', 'missing_since', 'missing_runs'],
].join(', ');

// An earlier version has never written what the next version would not understand, but nothing kept it from doing so.
const hasNoItem = `(cms_id is null or status in ('removed', 'deleted'))`;
const moveRecords = `
insert into records (${kept}, status, knows, cms_id, delivered)
select ${kept},
  case when status = 'delivered' and (cms_id is null or delivered is null) then 'pending' else status end,
  case
    when ${hasNoItem} then
      case when create_unconfirmed = 0 or status in ('removed', 'deleted', 'delivered') then 'none'
        when status = 'failed' then 'refused' else 'maybe' end
    when delete_unconfirmed = 1 and status <> 'delivered' then 'maybeGone'
    when delivered is null then 'found'
    else 'known' end,
  case when ${hasNoItem} then null else cms_id end,
  case when ${hasNoItem} then null else delivered end
from former_records
`;

const moveHistory = `
insert into attempts (
  sync, key, seq, run, method, begun_at, settled_at, outcome, attributes, upload_count, cms_id, before, replaced, after,
  error_code, error_reason
)
select sync, key, seq, run, method, settled_at, settled_at, outcome, attributes, upload_count, cms_id, before, replaced, after,
  error_code, error_reason
from history
`;

/** Replaces the history, and what records remembered of unanswered requests, by one row for each call (docs/decisions/README.md). */
export const attemptsInPlaceOfHistory: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const run = (statement: string) => sql.raw(statement).execute(db);
    const runAll = async (statements: string) => {
      for (const statement of statements.split(/;\n/).filter((text) => text.trim() !== '')) await run(statement);
    };
    await run('alter table records rename to former_records');
    await runAll(records);
    await run(moveRecords);
    await runAll(isSqlite ? attempts : attempts.replace(/\) without rowid/, ')'));
    await run(moveHistory);
    await openAttempts(db);
    await run('drop table former_records');
    await run('drop table history');
    await runAll(recordIndexes + attemptIndexes);
  },
};

async function openAttempts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<FormerRecord>`
    select former.*, records.knows, coalesce(
      (select max(seq) from attempts where attempts.sync = former.sync and attempts.key = former.key), 0
    ) as seq
    from former_records as former join records on records.sync = former.sync and records.key = former.key
    where records.status not in ('delivered', 'removed', 'deleted')
  `.execute(db);
  for (const row of rows) {
    for (const [index, { method, doubt, body, before }] of openAttemptsOf(row).entries()) {
      await sql`
        insert into attempts (sync, key, seq, run, method, begun_at, doubt, body, before)
        values (
          ${row.sync}, ${row.key}, ${Number(row.seq) + index + 1}, ${row.run}, ${method}, ${row.quiet_since ?? row.delivered_at ?? Date.now()}, ${doubt},
          ${body}, ${before}
        )
      `.execute(db);
    }
  }
}
