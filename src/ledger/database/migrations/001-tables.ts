import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// The tables of the ledger, the same for SQLite and PostgreSQL: JSON as text, times as milliseconds since 1970, flags as 0
// or 1. docs/ledger-tables.md shows how they belong together.
const schema = `
-- One row for each record of each sync: what the source has, what the CMS has, and the delivery of the difference.
create table records (
  -- Identity
  sync text not null,
  key text not null,
  resource text not null, -- "events", "accounts", …
  place text not null, -- where the source has it: "events.csv:71"

  -- Desired: as last read and mapped from the source
  desired text not null, -- JSON object: attributes
  attachments text not null, -- JSON array: files, with their fingerprints
  hash text not null, -- of both
  source_hash text, -- of the source record, and of all that decides how it is mapped to what hash is of: a source record with the
    -- same one need not be mapped again (docs/decisions/README.md); null: unknown, or something else decides, too
  starts_on text, -- first day of an event, ISO date
  ends_on text, -- last day
  password text, -- for the create of an account; encrypted, and deleted once the CMS has the account
  action text, -- what to do with the item instead of writing what the source has:
    -- 'delete' it, or write the desired attributes only: 'mark' a missing record, 'restore' what a change replaced
  run text not null, -- the run that last wanted a change

  -- Delivered: as last confirmed by the CMS
  cms_id bigint, -- id of its item; null: it has none
  is_adopted integer not null default 0, -- the item existed before feedferry knew it
  delivered text, -- JSON object: attributes
  delivered_attachments text, -- JSON object: attribute → fingerprint
  delivered_hash text, -- null: some of it (an unreadable file) is still to be delivered
  delivered_at bigint,
  made_by_cms text, -- JSON object: what the CMS made of delivered attributes that it does not show as they were sent; null: of none
  editor_state text, -- JSON object: attribute → what is remembered to recognise and keep editors' changes

  -- Claim: the worker that is delivering it, or was the last to do so
  claim_token text, -- fencing token: writing a result with an older one has no effect
  claim_holder text, -- host, process and a token of the process
  claim_until bigint, -- null: not claimed
  quiet_since bigint, -- when earlier claims had lapsed or ended: since then none of their requests is under way

  -- Attempts: progress of the delivery
  status text not null, -- 'pending' until it is settled; 'deleted' by others in the CMS; 'removed' there by feedferry
  outcome text, -- of the last delivery; null: not settled
  attempts integer not null default 0,
  upload_count integer not null default 0, -- files uploaded for it in its run
  retry_at bigint, -- not claimed before
  error_code text,
  error_reason text,
  refused_hash text, -- of what the CMS refused for good: content, and the configuration that decides how it is sent
  not_retried integer not null default 0, -- it was never delivered, and the source no longer has or wants it

  -- Unconfirmed: what may have been applied although no answer arrived
  create_unconfirmed integer not null default 0, -- look it up before another create
  create_unconfirmed_before_claim integer not null default 0, -- the same, when the present claim began
  unconfirmed_payloads text, -- JSON array: what such creates may have sent; null: what is desired
  delete_unconfirmed integer not null default 0,

  -- Absence: the source no longer has it
  missing_since bigint,
  missing_runs integer not null default 0, -- in a row
  attributes_before_mark text, -- JSON object: what marking it replaced; null: its item is not marked

  -- Undo
  before_image text, -- JSON object: the item before the change that is under way
  expected_item_hash text, -- of the item when an undo was decided; if it has changed since, it is left alone

  primary key (sync, key),
  check (action in ('delete', 'mark', 'restore')),
  check (status in ('pending', 'delivered', 'failed', 'held', 'deleted', 'removed')),
  check (outcome in ('created', 'updated', 'unchanged', 'removed', 'failed', 'held', 'skipped')),
  check (is_adopted in (0, 1) and not_retried in (0, 1)),
  check (create_unconfirmed in (0, 1) and create_unconfirmed_before_claim in (0, 1) and delete_unconfirmed in (0, 1))
);
create index records_by_run on records (run, status);
create index records_by_cms_id on records (resource, cms_id);
-- The undelivered records of a sync and state are read in pages, and so are those of a run.
create index records_undelivered on records (sync, status, key) where status <> 'delivered';
create index records_undelivered_by_run on records (run, key) where error_code is not null and status <> 'delivered';
create index records_in_cms on records (sync, key) where cms_id is not null;
-- The events of a month that have an item: by their first day and, if they last several, by their last.
create index records_by_day on records (starts_on, sync) where cms_id is not null;
create index records_lasting on records (ends_on, starts_on) where cms_id is not null and ends_on > starts_on;

-- The plan of a run, until it is applied: one row for each record that the run has read, and for each that is missing.
create table staged_changes (
  run text not null,
  key text not null,
  op text not null, -- what to do; 'held' and 'failed' are not sent: the CMS may have it already, or has refused it before
  place text not null, -- as in records, and so are the others that are not explained here
  resource text, -- from here on null if there is nothing to write
  desired text,
  attachments text,
  hash text,
  source_hash text,
  starts_on text,
  ends_on text,
  changed text, -- JSON array: names of the attributes to write
  previous_key text, -- the key in records, if the source has given it a new one
  cms_id bigint, -- the item to adopt
  delivered text, -- what that has of the desired attributes
  delivered_attachments text,
  editor_state text,
  password text,
  expected_item_hash text,
  error_code text, -- why it is held or has failed
  error_reason text,
  primary key (run, key),
  check (op in (
    'create', 'update', 'held', 'failed', 'unchanged', 'skipped', 'rejected', 'delete', 'mark', 'restore'
  ))
) without rowid;
-- Held plans are read in pages.
create index staged_changes_by_op on staged_changes (run, op, key) where op in ('create', 'update', 'delete', 'mark');

-- One row for each run, plan and backfill.
create table runs (
  id text not null primary key, -- sorts by time
  sync text not null,
  kind text not null, -- 'plan': only shows changes; 'slice': part of a backfill; 'run', 'plan', 'backfill' read a feed
  part_of text, -- the backfill of a slice
  undoes text, -- the run that an undo takes back
  status text not null, -- 'planned': a plan, or a backfill that is not finished
  target text, -- where it delivers to
  holder text not null, -- the process that leads it
  lease_until bigint not null, -- that process is taken to be alive until then
  started_at bigint not null,
  finished_at bigint,
  complete integer not null default 0, -- the whole feed was read
  counts text not null, -- JSON object: records by what was done with them
  receipt text, -- JSON object: what was read of the feed
  fingerprint text, -- hash of everything but the feed that decided the plan
  warnings text not null, -- JSON array
  error_code text, -- why the run as a whole failed or is held
  error_message text,
  held_set text, -- hash of the changes that it is held for; its plan may be approved
  check (kind in ('run', 'plan', 'retry', 'approve', 'adopt', 'undo', 'purge', 'backfill', 'slice')),
  check (status in ('planned', 'running', 'success', 'partial', 'failed', 'held')),
  check (complete in (0, 1))
);
create unique index runs_one_running on runs (sync) where status = 'running';
create index runs_by_sync on runs (sync, started_at, id);
create index runs_by_time on runs (started_at, id);
create index runs_held on runs (sync) where held_set is not null;

-- Who asked for runs, and decided about held plans.
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
);
create index deeds_by_sync on deeds (sync, done_at);
create index deeds_by_about on deeds (about) where about is not null;

-- The open backfill of a sync; its row in runs has the rest.
create table backfills (
  sync text not null primary key,
  run text not null, -- its id
  from_day text, -- ISO dates, inclusive; null: open
  to_day text,
  total integer, -- records to deliver; null: the feed is not read yet
  holder text not null, -- the process that carries it out
  lease_until bigint not null,
  slice text, -- the run of its last slice
  turn_until bigint, -- until then, another run of the sync is waiting for the end of a slice
  worked_ms bigint not null default 0
);

-- What an open backfill has still to deliver.
create table backfill_work (
  backfill text not null,
  key text not null,
  op text not null, -- as decided when it was read; 'unchanged' and 'skipped' only have a new key
  place text not null,
  resource text not null,
  desired text not null,
  attachments text not null,
  hash text not null,
  starts_on text,
  ends_on text,
  previous_key text,
  password text,
  is_superseded integer not null default 0, -- a later run has read the record
  primary key (backfill, key),
  check (op in ('create', 'update', 'failed', 'unchanged', 'skipped')),
  check (is_superseded in (0, 1))
);
create index backfill_work_in_order on backfill_work (backfill, starts_on, key);

-- The last attempts to deliver each record.
create table history (
  sync text not null,
  key text not null,
  seq integer not null, -- counts the attempts of a record
  run text not null,
  settled_at bigint not null,
  outcome text not null,
  method text, -- of the request that wrote the record; null: none was sent
  attributes text, -- JSON array: names of the attributes sent
  upload_count integer not null,
  cms_id bigint,
  before text, -- JSON object: the item before; of a delete, all of it
  replaced text, -- JSON object: what feedferry had delivered, if the item had something else by then
  after text, -- JSON object: what the CMS made of what was sent, if that differs; of a create, all of it
  error_code text,
  error_reason text,
  primary key (sync, key, seq),
  check (outcome in ('created', 'updated', 'unchanged', 'removed', 'retry', 'failed', 'held', 'deleted')),
  check (method in ('POST', 'PATCH', 'DELETE'))
) without rowid;
create index history_by_run on history (run, sync, key);
create index history_images on history (settled_at) where (before is not null or after is not null);

-- Records that a run could not read or map.
create table rejections (
  run text not null,
  seq integer not null, -- in the order of the feed
  place text not null,
  code text not null,
  reason text not null,
  key text, -- null: unknown
  fields text, -- JSON object: the fields of the source, without secrets, long values cut
  primary key (run, seq)
);

-- Files that the CMS has, so that the same content is not uploaded again.
create table uploads (
  target text not null,
  attribute text not null,
  sha256 text not null,
  src text not null, -- what the CMS calls it
  uploaded_at bigint not null,
  used_at bigint not null, -- when a source last had it, to the day
  primary key (target, attribute, sha256)
);
create index uploads_by_use on uploads (used_at);

-- Files on other machines, as they were when last requested.
create table remote_files (
  location_hash text not null primary key, -- the address itself may contain secrets
  etag text,
  last_modified text,
  sha256 text not null,
  checked_at bigint not null -- when a source last had it, to the day
);
create index remote_files_by_use on remote_files (checked_at);

-- What all processes know of a site or calendar: whether it takes requests, and how many each process may send.
create table targets (
  target text not null primary key,
  epoch integer not null, -- grows with every change of its state
  paused_until bigint, -- null: not paused
  paused_for bigint, -- how long the pause lasts from its begin, in ms: more is left of it only if the clock of the ledger has gone
    -- back since; null: not known
  pause_reason text,
  pauses integer not null, -- in a row
  probe_holder text, -- the process that sends one request to see whether it has recovered
  probe_until bigint,
  resumed_at bigint,
  stopped_credentials_hash text, -- of the credentials that it refused; null: not stopped
  stop_code text,
  stop_reason text,
  permits text not null default '[]', -- JSON array of the shares of its limits that processes have leased
  pace text, -- JSON object: how many requests it takes, as all processes have found out; null: not yet known
  check (pause_reason in ('busy', 'unwell'))
);

-- Sums over the ended runs of a sync, by kind and status; an approval counts as a run, an adoption as a retry.
create table run_totals (
  sync text not null,
  kind text not null,
  status text not null,
  runs bigint not null,
  duration_ms bigint not null,
  last_finished_at bigint not null,
  read bigint not null, -- from here on: sums of the counts of the runs
  created bigint not null,
  updated bigint not null,
  unchanged bigint not null,
  rejected bigint not null,
  failed bigint not null,
  held bigint not null,
  skipped bigint not null,
  missing bigint not null,
  deleted bigint not null,
  marked bigint not null,
  unremoved bigint not null,
  uploaded bigint not null,
  primary key (sync, kind, status),
  check (kind in ('run', 'retry', 'undo', 'purge', 'backfill')),
  check (status in ('success', 'partial', 'failed', 'held'))
);

-- The last verification of each sync: whether its items are what was delivered.
create table verifications (
  sync text not null primary key,
  id text not null,
  began_at bigint not null,
  drift integer, -- how many differences the last one that could tell has found; null: none could tell yet
  summary text -- the differences by their causes: "7 edited, 5 deleted"
);

-- Problems to report: one row for each sync, kind and channel, kept when it is over.
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

-- Work that one of all processes does from time to time.
create table housekeeping (
  task text not null primary key,
  begun_at bigint not null
);
`;

/**
 * Creates the tables. SQLite keeps tables `without rowid` in the order of their primary keys, not in another order with a
 * separate index: this makes it many times as fast to find and delete the staged rows of a run. PostgreSQL has no such tables.
 */
export const tables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of schema.split(/;\n/).filter((text) => text.trim() !== '')) {
      await sql.raw(isSqlite ? statement : statement.replace(/\) without rowid$/, ')')).execute(db);
    }
  },
};
