import { type RawBuilder, sql } from 'kysely';
import type { Occurrence, Payload, Resource } from '../../core/record.ts';
import { isUnsent } from '../database/conditions.ts';
import { contentIn } from '../database/queries.ts';
import { errorIn, hasError } from '../database/record-error.ts';
import type { FormerKeysTable, LedgerDatabase, RecordContents, StagedContents, StagedRow } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { addContents } from '../records/contents.ts';
import { type KnownRecord, type KnownRow, knownColumns, withKnown } from '../records/known-record.ts';
import { type StagedCreate, stagedRows, toCreate, toOccurrence } from './adoptions.ts';
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
  /** What waits for an answer may be another thing than its item. */
  isInDoubt: boolean;
  occurrence?: Occurrence;
}

/** New values of a row of a staged plan. */
export type Restaged = Partial<Omit<StagedRow, 'attachments' | 'series' | 'slot' | 'given_by' | 'days'>> & {
  key: string;
};

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
    const rows = await all<KnownRow & Pick<RecordContents, 'resource' | 'place' | 'desired' | 'series' | 'slot'>>(db)`
      select resource, place, desired, series, slot, ${knownColumns} from record_contents as records
      where sync = ${sync} and ${condition} ${limit === undefined ? sql`` : sql`order by id desc limit ${limit}`}
    `;
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const former = await all<FormerKeysTable>(db)`select * from former_keys where ${isOneOf('record', ids)}`;
    const keysOf = Map.groupBy(former, ({ record }) => record);
    return (await withKnown(rows, { db, runtime })).map(({ row, known }) => {
      const isInDoubt = errorIn(row.error)?.code === 'FF_KEY_REUSED';
      return {
        ...known,
        ...{ id: row.id, key: row.key, resource: row.resource, place: row.place, isInDoubt },
        formerKeys: (keysOf.get(row.id) ?? []).map(({ key }) => key),
        content: contentIn(isInDoubt ? { ...row, desired: '{}' } : row),
        ...toOccurrence(row),
      };
    });
  }

  /** Returns the occurrences that the ledger has, and that a run has read. */
  async function occurrencesRead(run: string, sync: string): Promise<Occurrence[]> {
    const rows = await all<Pick<RecordContents, 'series' | 'slot'>>(db)`
      select series, slot from record_contents as records
      where sync = ${sync} and series is not null and ${isStaged(run)}
    `;
    return rows.flatMap((row) => toOccurrence(row).occurrence ?? []);
  }

  /** Returns the staged creates of records that the ledger does not have, or that were never sent. */
  async function newRecords(run: string, sync: string): Promise<StagedCreate[]> {
    const isKnown = sql<boolean>`exists (
      select 1 from records where sync = ${sync} and records.key = staged_changes.key and not ${isUnsent}
    )`;
    return (await stagedRows(run, db, sql`op = 'create' and not ${isKnown}`)).map(toCreate);
  }

  /** Returns the staged updates of records, and those that stay deleted, as they would be created. */
  async function updatesOf(run: string, keys: readonly string[]): Promise<StagedCreate[]> {
    return (await stagedRows(run, db, sql`op in ('update', 'skipped') and ${isOneOf('key', keys)}`)).map(toCreate);
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
        const changed = Object.entries({ source_hash: null, wanted, ...columns });
        const values = changed.flatMap(([name, value]) =>
          value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`],
        );
        await change(transaction)`update staged_changes set ${sql.join(values)} where ${isThis}`;
      }
    });
  }
}
