import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The first run that has published a member as another record than its own
  'alter table members add column covered_in text',
  // Condition like that of noteCovered.
  'create index members_to_cover on members (sync) where covered_in is null and cluster <> key',
  // Which reading of its source was the first since which a member is not the event that its cluster is published as
  'alter table members add column astray_no integer',
  // Number of the reading that has begun last
  'alter table readings rename column whole_count to begun_no',
  // Number of the last complete reading; 0: there was none
  'alter table readings add column whole_no integer not null default 0',
  'update readings set whole_no = begun_no',
  // JSON array: number and time (ms since 1970) of the last complete readings, the newest first
  'alter table readings rename column whole_times to wholes',
  "update readings set wholes = '[]'",
  'alter table backfill_work add column given_by text',
];

/** Numbers the readings of a source as they begin, so that they may overlap, and notes which run has covered a member. */
export const overlappingReadings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
