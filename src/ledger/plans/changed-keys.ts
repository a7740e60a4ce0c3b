import { type RawBuilder, sql } from 'kysely';
import type { Occurrence, Payload, Resource } from '../../core/record.ts';
import { isUnsent } from '../database/conditions.ts';
import { contentIn } from '../database/queries.ts';
import { errorIn, hasError } from '../database/record-error.ts';
import type { LedgerDatabase, StagedContents, StagedRow } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { addContents } from '../records/contents.ts';
import { type KnownRecord, knownColumns, withKnown } from '../records/known-record.ts';
import { type StagedCreate, stagedCreates, toCreate, toOccurrence } from './adoptions.ts';
import { isStaged } from './missing-records.ts';

/** A record that is in the CMS, was deleted there, or waits for an answer whether it is. */
export interface LedgerRecord extends KnownRecord {
  id: number;
  key: string;
  resource: Resource;
  place: string;
  /** What the source had last; of a marked record, without the mark. */
  content: Payload;
  /** The keys that it has had before. */
  formerKeys: string[];
  occurrence?: Occurrence;
}

/** New values of a row of a staged plan. */
export type Restaged = Partial<Omit<StagedRow, 'attachments' | 'series' | 'slot' | 'given_by'>> & { key: string };

const isWaiting = sql<boolean>`(${isUnsent} and status = 'held' and ${hasError('FF_KEY_CHANGED')})`;

/** So many records are compared at most if the reading does not show which of them have left the source. */
const MOST_COMPARED = 20_000;

/** Records whose keys the source may have changed. */
export function createRelinkStore({ db, forRows, runtime }: LedgerDatabase) {
  return { recordsNotRead, recordsNamed, occurrencesRead, newRecords, updatesOf, restage };

  /**
   * Returns the records that a run has not read.
   * @param options `isWhole`: all of them; otherwise, nearly all may be unread, and only some are compared: events on the days of new
   * ones, and the newest accounts
   */
  function recordsNotRead(run: string, sync: string, { isWhole }: { isWhole: boolean }): Promise<LedgerRecord[]> {
    const isThen = sql`(starts_on is null or starts_on in (
      select starts_on from staged_changes where run = ${run} and op = 'create' and starts_on is not null))`;
    const isCompared = isWhole ? sql`1 = 1` : isThen;
    return recordsWhere(
      sync,
      sql<boolean>`((cms_id is not null or status = 'deleted' or ${isWaiting}) and not ${isStaged(run)} and ${isCompared})`,
      isWhole ? undefined : MOST_COMPARED,
    );
  }

  function recordsNamed(sync: string, keys: readonly string[]): Promise<LedgerRecord[]> {
    return recordsWhere(sync, sql<boolean>`((cms_id is not null or status = 'deleted') and ${isOneOf('key', keys)})`);
  }

  async function recordsWhere(sync: string, condition: RawBuilder<boolean>, limit?: number): Promise<LedgerRecord[]> {
    const rows = await db
      .selectFrom('record_contents as records')
      .select(['resource', 'place', 'desired', 'series', 'slot', ...knownColumns])
      .where('sync', '=', sync)
      .where(condition)
      .$if(limit !== undefined, (query) => query.orderBy('id', 'desc').limit(limit ?? 0))
      .execute();
    const ids = rows.map(({ id }) => id);
    const former = await db.selectFrom('former_keys').selectAll().where('record', 'in', ids).execute();
    const keysOf = Map.groupBy(former, ({ record }) => record);
    return (await withKnown(rows, { db, runtime })).map(({ row, known }) => ({
      ...known,
      ...{ id: row.id, key: row.key, resource: row.resource, place: row.place },
      formerKeys: (keysOf.get(row.id) ?? []).map(({ key }) => key),
      // What waits for an answer may be another thing than the item.
      content: contentIn(errorIn(row.error)?.code === 'FF_KEY_REUSED' ? { ...row, desired: '{}' } : row),
      ...toOccurrence(row),
    }));
  }

  /** Returns the occurrences that the ledger has, and that a run has read. */
  async function occurrencesRead(run: string, sync: string): Promise<Occurrence[]> {
    const rows = await db
      .selectFrom('record_contents as records')
      .select(['series', 'slot'])
      .where('sync', '=', sync)
      .where('series', 'is not', null)
      .where(sql<boolean>`${isStaged(run)}`)
      .execute();
    return rows.flatMap((row) => toOccurrence(row).occurrence ?? []);
  }

  /** Returns the staged creates of records that the ledger does not have, or that were never sent. */
  async function newRecords(run: string, sync: string): Promise<StagedCreate[]> {
    const isKnown = sql<boolean>`exists (
      select 1 from records where sync = ${sync} and records.key = staged_changes.key and not ${isUnsent}
    )`;
    const rows = await stagedCreates(run, db).where(sql<boolean>`not ${isKnown}`).execute();
    return rows.map(toCreate);
  }

  /** Returns the staged updates of records, and those that stay deleted, as they would be created. */
  async function updatesOf(run: string, keys: readonly string[]): Promise<StagedCreate[]> {
    const rows = await stagedCreates(run, db, 'update', 'skipped').where('staged_changes.key', 'in', keys).execute();
    return rows.map(toCreate);
  }

  /**
   * Changes rows of a staged plan, each in its own way.
   * @param rows keys and new values; `previous_key`: the key under which the ledger has the record, until the plan is applied
   */
  async function restage(run: string, rows: readonly Restaged[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      for (const { key, desired, ...columns } of rows) {
        const isThis = sql`run = ${run} and key = ${key}`;
        const [before] = await all<StagedContents>(transaction)`select * from staged_contents where ${isThis}`;
        const contents = typeof desired === 'string' ? [{ ...before, payload: desired }] : [];
        const [wanted = before?.wanted] = await addContents(transaction, contents, { forRows });
        await transaction
          .updateTable('staged_changes')
          .set({ source_hash: null, wanted, ...columns })
          .where(({ and }) => and({ run, key }))
          .execute();
      }
    });
  }
}
