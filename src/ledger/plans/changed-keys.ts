import { sql } from 'kysely';
import type { Occurrence, Payload, Resource } from '../../core/record.ts';
import type { LedgerDatabase, StagedRow } from '../database/schema.ts';
import { type KnownRecord, knownColumns, withKnown } from '../records/known-record.ts';
import { type StagedCreate, stagedCreates, toCreate, toOccurrence } from './adoptions.ts';
import { isOfFormerSource, isStaged } from './missing-records.ts';

/** A record that a run has not read, and that is in the CMS or was deleted there. */
export interface UnreadRecord extends KnownRecord {
  key: string;
  resource: Resource;
  /** What the source had last; of a marked record, without the mark. */
  content: Payload;
  /** The keys that it has had before. */
  formerKeys: string[];
  /** The sync has one source, and has the record from another one that it no longer has; or it has several. */
  hasMembers: boolean;
  occurrence?: Occurrence;
}

/** Records whose keys the source may have changed. */
export function createRelinkStore({ db, runtime }: LedgerDatabase) {
  return { recordsNotRead, occurrencesRead, newRecords, changeKey };

  async function recordsNotRead(run: string, sync: string): Promise<UnreadRecord[]> {
    const rows = await db
      .selectFrom('records')
      .select(['resource', 'desired', 'series', 'slot', ...knownColumns])
      .select(sql<number>`case when ${isOfFormerSource} then 1 else 0 end`.as('has_members'))
      .where('sync', '=', sync)
      .where(sql<boolean>`(cms_id is not null or status = 'deleted') and not ${isStaged(run)}`)
      .execute();
    const ids = rows.map(({ id }) => id);
    const former = await db.selectFrom('former_keys').selectAll().where('record', 'in', ids).execute();
    const keysOf = Map.groupBy(former, ({ record }) => record);
    return (await withKnown(rows, { db, runtime })).map(({ row, known }) => ({
      ...known,
      key: row.key,
      formerKeys: (keysOf.get(row.id) ?? []).map(({ key }) => key),
      resource: row.resource,
      hasMembers: row.has_members === 1,
      content: {
        ...JSON.parse(row.delivered ?? '{}'),
        ...JSON.parse(row.desired),
        ...JSON.parse(row.attributes_before_mark ?? '{}'),
      } as Payload,
      ...toOccurrence(row),
    }));
  }

  /** Returns the occurrences that the ledger has, and that a run has read. */
  async function occurrencesRead(run: string, sync: string): Promise<Occurrence[]> {
    const rows = await db
      .selectFrom('records')
      .select(['series', 'slot'])
      .where('sync', '=', sync)
      .where('series', 'is not', null)
      .where(sql<boolean>`${isStaged(run)}`)
      .execute();
    return rows.flatMap((row) => toOccurrence(row).occurrence ?? []);
  }

  /** Returns the staged creates of records that the ledger does not have. */
  async function newRecords(run: string, sync: string): Promise<StagedCreate[]> {
    const isKnown = sql<boolean>`exists (select 1 from records where sync = ${sync} and records.key = staged_changes.key)`;
    const rows = await stagedCreates(run, db).where(sql<boolean>`not ${isKnown}`).execute();
    return rows.map(toCreate);
  }

  /** Stages a record that the ledger has under another key. Applying the plan changes the key. */
  async function changeKey(
    run: string,
    { from, to, planned }: { from: string; to: string; planned: Partial<StagedRow> },
  ): Promise<void> {
    await db
      .updateTable('staged_changes')
      .set({ previous_key: from, source_hash: null, ...planned })
      .where(({ and }) => and({ run, key: to }))
      .execute();
  }
}
