import { sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import type { LedgerDatabase, StagedRow } from '../database/schema.ts';
import { type KnownRecord, knownColumns, toKnown } from '../records/known-record.ts';
import { changeStaged, type StagedCreate, stagedCreates, toCreate } from './adoptions.ts';
import { isStaged } from './missing-records.ts';

/** A record that a run has not read, and that is in the CMS or was deleted there. */
export interface UnreadRecord extends KnownRecord {
  key: string;
  resource: Resource;
  /** The content as delivered, or as desired; of a marked record, the content before the mark. */
  content: Payload;
}

/** Records whose keys the source may have changed. */
export function createRelinkStore({ db }: LedgerDatabase) {
  return { recordsNotRead, keysRead, newRecords, changeKey };

  async function recordsNotRead(run: string, sync: string): Promise<UnreadRecord[]> {
    const rows = await db
      .selectFrom('records')
      .select(['key', 'resource', ...knownColumns])
      .where('sync', '=', sync)
      .where(sql<boolean>`(cms_id is not null or status = 'deleted') and not ${isStaged(run)}`)
      .execute();
    return rows.map((row) => ({
      ...toKnown(row),
      key: row.key,
      resource: row.resource,
      content: {
        ...JSON.parse(row.delivered ?? row.desired),
        ...JSON.parse(row.attributes_before_mark ?? '{}'),
      } as Payload,
    }));
  }

  /** Returns the keys of the ledger's records that a run has read. */
  async function keysRead(run: string, sync: string): Promise<string[]> {
    const rows = await db
      .selectFrom('records')
      .select('key')
      .where('sync', '=', sync)
      .where(sql<boolean>`${isStaged(run)}`)
      .execute();
    return rows.map(({ key }) => key);
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
    await changeStaged(run, to, { previous_key: from, source_hash: null, ...planned }, db);
  }
}
