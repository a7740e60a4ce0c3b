import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `-- The records of the sources of syncs that have several. Members with the same cluster are published as one record.
create table members (
  sync text not null,
  key text not null, -- SOURCE/KEY
  source text not null,
  cluster text, -- key of the record that the member is published as; null: not decided yet
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
  state text, -- what the last reading said, if it is not to be published: 'rejected'; 'duplicate': its values may be those of
    -- another record; 'deleted' by the source; 'withdrawn': cancelled or private
  primary key (sync, key)
)`,
  'create index members_by_cluster on members (sync, cluster)',
  'create index members_by_event on members (sync, event_hash)',
  `-- The last reading of each source of a sync that has several.
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
  whole_count integer not null, -- how many complete readings there were
  whole_receipt text, -- JSON object: of the last complete reading
  whole_times text not null, -- JSON array: when the last complete readings were, ms since 1970, the newest first
  error_code text,
  error_message text,
  primary key (sync, source)
)`,
  // JSON object: attribute → the source that gives its value; '' → the source that publishes the record
  'alter table records add column given_by text',
  'alter table staged_changes add column given_by text',
];

/** Adds the records of syncs with several sources, and which source gives each value. */
export const members: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
