import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { droppedContents } from './001-contents.ts';
import { searchIndex } from './001-search.ts';

// The tables of the ledger, the same for SQLite and PostgreSQL: JSON as text, times as milliseconds since 1970, flags as 0
// or 1. docs/ledger-tables.md shows how they belong together.
const schema = `
-- What a source wants of an item. Rows are never changed: a record with other content points to another row.
create table contents (
  id integer primary key,
  payload text not null, -- JSON object: attributes
  attachments text not null, -- JSON array: files, with their fingerprints
  hash text, -- of both; null: of an item that was found, not read from the source
  series text, -- what the source repeats, such as the UID of a calendar's series; null: unknown
  slot text, -- which of its occurrences the record is: its day or time as the source writes it
  given_by text, -- JSON object: attribute → the source that gives its value; '' → the source that publishes the record
  days text -- JSON object, of an event that spans days: the keys of their records → days, and a hash of what these have in common
);

-- Few contents are of events that span days, and they are read at each run.
create index contents_of_days on contents (id) where days is not null;

-- One row for each record of each sync: what the source has, what the CMS has, and the delivery of the difference.
-- docs/development/delivery-protocol.md lists the states of a record, and what moves it from one to another.
create table records (
  -- Identity
  id integer primary key, -- stays with the record if it gets another key, or its sync another name: other tables name it so
  sync text not null,
  key text not null,
  resource text not null, -- "events", "accounts"
  place text not null, -- where the source has it: "events.csv:71"

  -- Desired: as last read and mapped from the source
  wanted bigint, -- id of its content; null: only the item is known
  source_hash text, -- of the source record, and of all that decides how it is mapped to what hash is of: a source record with the
    -- same one need not be mapped again (docs/decisions/README.md); null: unknown, or something else decides, too
  starts_on text, -- first day of an event, ISO date
  ends_on text, -- last day
  run text not null, -- the run that last wanted a change

  -- Goal
  goal text not null default 'have', -- 'have': the item gets what the source has; 'leave': so it would, but the source no longer has or
    -- wants the record; 'delete' it, or write the desired attributes only: 'mark' a missing record, 'restore' what a change replaced
  expects text, -- hash of the item when an undo or a replacement was decided; if it has changed since, it is left alone

  -- Item: as last confirmed by the CMS
  knows text not null default 'none', -- what is known of the item: 'none'; 'refused': the CMS answered every create with an
    -- error; 'maybe': a create may have made one; 'found' by a look-up, and not confirmed; 'known'; 'maybeGone': a delete may have removed it
  cms_id bigint, -- its id; null: the record has none
  has bigint, -- id of the content that was delivered, as far as it says nothing else in item; equal to wanted: as desired
  delivered_at bigint,
  item text, -- JSON object (database/item-state.ts): whether it was adopted, what the CMS made of it, what editors changed, and what a
    -- mark replaced; null: nothing of that
  undelivered_files text, -- JSON object: when they are tried again, and attribute → why the record was delivered without its file, since
    -- when, and how often it was tried; null: it has all

  -- Work
  status text not null, -- 'pending' until it is settled; 'deleted' by others in the CMS; 'removed' there by feedferry
  ended_claim text, -- token of the last claim on the record that has ended: writing another result under it has no effect
  quiet_since bigint, -- when earlier claims had lapsed or ended: since then none of their requests is under way
  attempts integer not null default 0,
  retry_at bigint, -- not claimed before
  error text, -- JSON object (database/record-error.ts): its code and reason, and what the CMS has refused

  -- Absence: the source no longer has it
  missing_since bigint,
  missing_runs integer not null default 0, -- in a row

  unique (sync, key),
  check (goal in ('have', 'leave', 'delete', 'mark', 'restore')),
  check (knows in ('none', 'refused', 'maybe', 'found', 'known', 'maybeGone')),
  check (status in ('pending', 'delivered', 'failed', 'held', 'deleted', 'removed')),
  check ((cms_id is null) = (knows in ('none', 'refused', 'maybe'))),
  check (has is null or cms_id is not null),
  check (knows <> 'known' or has is not null),
  check (knows <> 'found' or has is null),
  check (status <> 'delivered' or error is null),
  check (status <> 'delivered' or knows = 'known'),
  check (status not in ('removed', 'deleted') or knows = 'none'),
  check (item is null or cms_id is not null),
  check (undelivered_files is null or has is not null)
);
create index records_by_run on records (run, status);
create index records_by_cms_id on records (resource, cms_id);
-- The undelivered records of a sync and state are read in pages, and so are those of a run.
create index records_undelivered on records (sync, status, key) where status <> 'delivered';
create index records_undelivered_by_run on records (run, key) where error is not null and status <> 'delivered';
create index records_in_cms on records (sync, key) where cms_id is not null;
-- The events of a month that have an item: by their first day and, if they last several, by their last.
create index records_by_day on records (starts_on, sync) where cms_id is not null;
create index records_lasting on records (ends_on, starts_on) where cms_id is not null and ends_on > starts_on;
create index records_without_files on records (sync, key) where undelivered_files is not null;

-- The passwords for the creates of accounts. Each is deleted once the CMS has its account.
create table passwords (
  record bigint primary key not null references records (id) on delete cascade,
  sealed text not null -- encrypted
) without rowid;

-- The records with their contents and passwords: what is wanted, and what was delivered apart from what the column item says.
create view record_contents as
select records.*, coalesce(desired.payload, '{}') as desired, coalesce(desired.attachments, '[]') as attachments, desired.hash,
  desired.series, desired.slot, desired.given_by, desired.days, delivered.payload as delivered, passwords.sealed as password
from records left join contents as desired on desired.id = records.wanted left join contents as delivered on delivered.id = records.has
  left join passwords on passwords.record = records.id;

-- Which process is delivering which records: one row for each batch. While a row exists, each of its creates counts as sent unless the
-- claim has ended for the record. A claim that ends without all results is replayed: its creates become attempts.
create table claims (
  token text not null primary key, -- fencing token
  sync text not null,
  run text not null, -- the run that wants the changes
  holder text not null, -- host, process and a token of the process
  until bigint not null,
  holds text not null, -- the ids of its records, with a blank before and after each: ' 12 13 '
  creates text not null -- those of them for which a create may be sent
);

-- The last keys that records have had before. A source may return to one of them.
create table former_keys (
  record bigint not null references records (id) on delete cascade,
  key text not null,
  no integer not null, -- counts the keys of a record
  primary key (record, key)
) without rowid;

-- Whether a record is one that the ledger knows, or the item that it looks like, or whether it is published. A question is open while the run
-- that asked it last holds the record.
create table questions (
  record bigint not null references records (id) on delete cascade, -- the one that waits
  other bigint not null references records (id) on delete cascade, -- the one that it may be; itself: what had its key before, or an item
  kind text not null, -- 'key': has a key changed, or passed on? 'item': is it an item of others? 'review': is it published?
  about_hash text not null, -- of what tells them apart: with another hash, the question is asked again
  run text not null, -- the last one that has asked
  asked_at bigint not null,
  answer text, -- null: nobody has answered
  person text, -- the name given at log-in, or the user of the machine
  answered_at bigint,
  note text,
  primary key (record, other, kind),
  check (
    (answer in ('same', 'distinct') and kind in ('key', 'item')) or (answer in ('publish', 'leave') and kind = 'review') or answer is null
  )
) without rowid;
create index questions_other on questions (other);

-- The plan of a run, until it is applied: one row for each record that the run has read, and for each that is missing.
create table staged_changes (
  run text not null,
  key text not null,
  op text not null, -- what to do; 'held' and 'failed' are not sent: the CMS may have it already, or has refused it before
  place text not null, -- as in records, and so are the others that are not explained here
  resource text, -- from here on null if there is nothing to write
  wanted bigint,
  hash text, -- of the content
  source_hash text,
  read_hash text, -- of the record as it was read: one with the same key and hash repeats it
  starts_on text,
  ends_on text,
  changed text, -- JSON array: names of the attributes to write
  previous_key text, -- the key in records, if the source has given it a new one
  cms_id bigint, -- the item to adopt
  has bigint, -- the content that it has
  item text,
  password text, -- encrypted
  expects text,
  error text, -- why it is held or has failed
  retries_files text, -- whether the change tries undelivered files again: 'only' them, or other attributes 'also'; null: no
  asked_about bigint, -- id of the record that it may be: it is held until a person has said so; 0: what had its key before
  asked_hash text, -- as about_hash of questions; empty: it may have another key, otherwise its key another record, or it looks like an
    -- item; of a create: a person has approved that it is not the item that it looks like; null: nothing is asked
  primary key (run, key),
  check (op in (
    'create', 'update', 'held', 'failed', 'unchanged', 'skipped', 'rejected', 'delete', 'mark', 'restore'
  )),
  check (retries_files in ('only', 'also'))
) without rowid;
-- The rows of plans with their contents: what is wanted, and what the item has.
create view staged_contents as
select staged_changes.*, desired.payload as desired, desired.attachments, desired.series, desired.slot, desired.given_by, desired.days,
  delivered.payload as delivered
from staged_changes left join contents as desired on desired.id = staged_changes.wanted
  left join contents as delivered on delivered.id = staged_changes.has;

-- Held plans are read in pages.
create index staged_changes_by_op on staged_changes (run, op, key) where op in ('create', 'update', 'delete', 'mark');

-- Contents go with the last row that points to them.
create index staged_changes_wanted on staged_changes (wanted) where wanted is not null;
create index staged_changes_has on staged_changes (has) where has is not null;
create index staged_changes_asked on staged_changes (run, asked_about) where asked_about is not null;

-- One row for each run and plan.
create table runs (
  id text not null primary key, -- sorts by time
  sync text not null,
  kind text not null, -- 'plan': only shows changes; 'run', 'plan', 'backfill' read a feed
  undoes text, -- the run that an undo takes back
  undone_by text, -- the last undo of the run that is in effect; null: there is none
  undone_partly integer, -- 1: some of its changes could not be undone
  status text not null, -- 'planned': a plan
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
  shares text, -- JSON array: how near its plan came to the limits that would have held it; null: it has read no feed
  without_files integer, -- how many records of the sync were without a file when the run ended; null: unknown
  succeeded integer not null default 0, -- whether it counts as a success (countsAsSuccess of core/run.ts): a partial one may
  cancelled text, -- who cancelled it and why, in words; null: nobody did. Nothing begins for it any longer
  asked_by text, -- as doer of deeds; null: a schedule asked for it
  asked_via text,
  check (kind in ('run', 'plan', 'retry', 'approve', 'adopt', 'undo', 'purge', 'backfill')),
  check (status in ('planned', 'running', 'success', 'partial', 'failed', 'held')),
  check (complete in (0, 1))
);
create unique index runs_one_running on runs (sync) where status = 'running';
create index runs_by_sync on runs (sync, started_at, id);
create index runs_by_time on runs (started_at, id);
create index runs_held on runs (sync) where held_set is not null;
create index runs_undoes on runs (undoes) where undoes is not null;

-- Who asked for runs, decided about held plans, and did what is not about a run.
create table deeds (
  run text references runs (id) on delete cascade, -- that it began; of a rejection, the held run; null: it is about the sync
  deed text not null, -- 'run', 'approve', 'pause' and so on
  sync text not null,
  done_at bigint not null,
  doer text not null, -- the name given at log-in, or the user of the machine
  via text not null,
  about text, -- the run that was approved or undone
  reason text,
  patch text, -- the lines of a sync file that an edit has removed and added
  former text, -- JSON: the files before the edit, so that it can be taken back; without files that have secrets
  check (via in ('console', 'api', 'cli'))
);
create unique index deeds_by_run on deeds (run, deed);
create index deeds_by_sync on deeds (sync, done_at);
create index deeds_by_about on deeds (about) where about is not null;

-- The last attempts to deliver each record: one row for each call that writes its item, and for each turn in which nothing was sent.
-- The row of a PATCH or DELETE is written before the call may leave the process, that of a POST once its claim has ended for the
-- record. A row is open while the CMS may have what its call sent.
create table attempts (
  record bigint not null references records (id) on delete cascade,
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
  primary key (record, seq),
  check (outcome in ('created', 'updated', 'unchanged', 'removed', 'retry', 'failed', 'held', 'deleted')),
  check (method in ('POST', 'PATCH', 'DELETE')),
  check (doubt in ('sent', 'refused', 'elsewhere')),
  check (body is null or doubt is not null)
) without rowid;
create index attempts_open on attempts (record) where doubt is not null;
create index attempts_by_run on attempts (run, record);
create index attempts_images on attempts (settled_at) where (before is not null or after is not null);

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
-- An upload finds other files with the same path.
create index uploads_by_src on uploads (target, src);

-- Files on other machines, as they were when last requested.
create table remote_files (
  location_hash text not null primary key, -- the address itself may contain secrets
  etag text,
  last_modified text,
  sha256 text not null,
  facts text, -- JSON: media type, bytes, and width of a picture
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
  last_success_at bigint, -- when the last of these runs that counts as a success ended; null: none did
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

-- What a CMS is known to do with attributes that it is sent.
create table habits (
  target text not null,
  resource text not null,
  attribute text not null, -- or a part of one: 'time.end'; '*': the item as a whole
  habit text not null, -- 'rewritten': the CMS shows another value than was sent; 'ignored': none,
    -- 'replaces': a PATCH has emptied attributes that it did not send
  seen_at bigint not null, -- when this was seen first
  primary key (target, resource, attribute, habit),
  check (habit in ('rewritten', 'ignored', 'replaces'))
);

-- The last verification of each sync: whether its items are what was delivered.
create table verifications (
  sync text not null primary key,
  id text not null,
  began_at bigint not null,
  drift integer, -- how many differences the last one that could tell has found; null: none could tell yet
  summary text, -- the differences by their causes: "7 edited, 5 deleted"
  ended_at bigint, -- when that verification ended, certain or not; null: the first one has not ended
  result text, -- JSON object: what it has proven, or why it proved nothing
  found_at bigint, -- when the verification that has found the differences began
  asked_by text -- who asked for the last verification; null: a schedule
);

-- The differences between records and items of the CMS that the last verification with a certain result has found.
create table differences (
  sync text not null,
  seq integer not null,
  record bigint not null references records (id) on delete cascade,
  cause text not null, -- 'edited', 'deleted' and so on
  cms_id bigint,
  attributes text not null, -- JSON array
  detail text not null, -- JSON object: the other record of a double, why something was not delivered, a hash of what the CMS has
  primary key (sync, seq)
);
create index differences_by_record on differences (record);

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
  reported text, -- JSON array: ids of the problems that the last message was about and that the run still has; null: no message was sent
  primary key (sync, kind, channel),
  check (kind in ('failed', 'held', 'drift', 'empty', 'partial', 'stale'))
);

-- When a message about a sync was last sent, or could not be sent: one row for each sync and recipient. Sync '': a test of feedferry.yaml.
create table sendings (
  sync text not null,
  channel text not null,
  sent_at bigint,
  tested_at bigint, -- when a test message was last sent
  failed_at bigint, -- null: nothing has failed since the last message that was sent
  failure text,
  primary key (sync, channel)
);

-- Work that one of all processes does from time to time.
create table housekeeping (
  task text not null primary key,
  begun_at bigint not null
);

-- What a person has decided about a record, until what it is about changes.
create table answers (
  sync text not null,
  about text not null, -- two places, two members, or a series and a source
  answer text not null,
  person text not null,
  answered_at bigint not null,
  note text,
  primary key (sync, about),
  check (answer in ('same', 'distinct'))
);

-- Problems that people know of and leave as they are.
create table acknowledgements (
  kind text not null, -- 'withoutFile', 'differs'; 'rejected': what is rejected has no record
  record bigint references records (id) on delete cascade,
  sync text, -- of a reject
  reject text, -- by what its sync calls it: the key that it would have, or a hash of its reason
  about_hash text not null, -- of the reasons: with another hash, it is another problem
  person text not null,
  answered_at bigint not null,
  used_at bigint not null, -- when a run has last had the reject, to the day
  note text,
  unique (record, kind),
  unique (sync, reject, kind),
  check ((record is null) = (reject is not null) and (sync is null) = (reject is null))
);

-- The records of the sources of syncs that have several. Members with the same cluster are published as one record.
create table members (
  sync text not null,
  key text not null, -- SOURCE/KEY
  source text not null,
  cluster text, -- key of the record that the member is published as; null: not decided yet
  covered_in text, -- the first run that has published the member as another record than its own
  place text not null, -- in the source
  payload text not null, -- JSON object: as mapped
  attachments text not null, -- JSON array: the files that the source names
  source_hash text, -- of the source record; null: it is mapped again whenever it is read
  event_hash text not null, -- equal for members that may be the same event
  starts_on text, -- ISO date
  ends_on text, -- ISO date
  series text,
  slot text,
  repeats integer not null, -- 1: the source repeats the event
  read_in text not null, -- the run that has last read it
  read_no integer not null, -- which complete reading of its source that was, if it was complete
  read_hash text, -- of the source record as it was read then
  astray_no integer, -- which reading of its source was the first since which it is not the event that its cluster is published as
  state text, -- what the last reading said, if it is not to be published: 'rejected'; 'duplicate': its values may be those of
    -- another record; 'deleted' by the source; 'withdrawn': cancelled or private
  primary key (sync, key)
);
create index members_by_cluster on members (sync, cluster);
create index members_by_event on members (sync, event_hash);
-- Condition like that of noteCovered.
create index members_to_cover on members (sync) where covered_in is null and cluster <> key;

-- The last reading of each source of a sync that has several.
create table readings (
  sync text not null,
  source text not null,
  run text not null,
  read_at bigint not null,
  fingerprint text not null,
  receipt text not null, -- JSON object
  records integer not null,
  rejected integer not null,
  warnings integer not null, -- how many records and parts had them: they are reported again only if the source is read again
  begun_no integer not null, -- number of the reading that has begun last
  whole_no integer not null default 0, -- number of the last complete reading; 0: there was none
  whole_receipt text, -- JSON object: of the last complete reading
  wholes text not null, -- JSON array: number and time (ms since 1970) of the last complete readings, the newest first
  error_code text,
  error_message text,
  primary key (sync, source)
);

-- A sync in this table is paused: no run of it reads its feed until it is resumed.
create table pauses (
  sync text not null primary key,
  paused_at bigint not null,
  person text not null, -- the name given at log-in, or the user of the machine
  via text not null,
  reason text not null
);

-- The processes that run syncs on their schedules.
create table schedulers (
  holder text not null primary key,
  started_at bigint not null,
  seen_at bigint not null,
  ended_at bigint -- null: it has not ended, as far as is known
);

-- Log-ins to the console. A log-out deletes the row, so it holds in all processes.
create table sessions (
  id_hash text primary key not null, -- of the secret in the cookie
  mark text not null, -- keyed hash of the token with which the session began: with another token, the session is over
  name text, -- as its user typed it, with a shared token
  until bigint not null
);

-- When each person with a name last looked at the console. A visit ends when its person opens no page for a while.
create table visits (
  person text primary key not null,
  since bigint, -- end of the visit before this one; null: this is the first one
  seen_at bigint not null -- of the last page, to some minutes
);
`;

/** Tables and views. */
export const tableNames = [...schema.matchAll(/^create (?:table|view) (\w+)/gm)].map(([, name = '']) => name);

/** A function of SQLite, as far as it is used. */
const jsonRemove = `
  create function json_remove(document text, path text) returns text language sql immutable
  as $$ select (document::jsonb - substr(path, 3))::text $$`;

/** What SQLite keeps in the order of a primary key, PostgreSQL has in a table and an index; ids of rows it draws from a sequence. */
const inPostgres = (statements: string) =>
  statements
    .replaceAll(') without rowid', ')')
    .replaceAll(' id integer primary key', ' id bigint generated by default as identity primary key');

/**
 * Creates the tables. SQLite keeps tables `without rowid` in the order of their primary keys, not in another order with a
 * separate index: this makes it many times as fast to find and delete the staged rows of a run. PostgreSQL has no such tables.
 */
export const tables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const ofSqlite = [...droppedContents.sqlite, ...searchIndex.sqlite];
    const ofPostgres = [jsonRemove, ...droppedContents.postgres, ...searchIndex.postgres];
    const statements = (isSqlite ? schema : inPostgres(schema)).split(/;\n/);
    for (const statement of [...statements, ...(isSqlite ? ofSqlite : ofPostgres)]) {
      if (statement.trim() !== '') await sql.raw(statement).execute(db);
    }
  },
};
