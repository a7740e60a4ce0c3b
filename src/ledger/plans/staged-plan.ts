import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type Payload, type Resource, UNKNOWN } from '../../core/record.ts';
import { type RunCounts, zeroCounts } from '../../core/run.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { hasItem, isAsDesired } from '../database/conditions.ts';
import { deliveredIn } from '../database/item-state.ts';
import { pagesByKey, payloadIn, type TitleColumns, titleIn } from '../database/queries.ts';
import { reportedError } from '../database/record-error.ts';
import type {
  LedgerDatabase,
  LedgerTables,
  RecordsTable,
  StagedChangesTable,
  StagedContents,
  StagedRow,
} from '../database/schema.ts';
import { all, cell, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import { addContents } from '../records/contents.ts';
import { type KnownRecord, type KnownRow, knownColumns, withKnown } from '../records/known-record.ts';
import { type ApplyRules, makeDesired } from './make-desired.ts';
import {
  editFound,
  isPlanned,
  type PlannedEffect,
  type PlannedOp,
  plannedEffect,
  plannedOps,
} from './planned-effect.ts';

export type StagedChange = ReturnType<typeof toChange>;

/** A record that this run has staged. */
export type AlreadyStaged = Pick<Selectable<StagedChangesTable>, 'key' | 'place' | 'op' | 'read_hash'>;

/** The hash of a source record, with its key. */
export type Source = Pick<StagedRow, 'key'> & { source_hash: string };

type UnchangedRecord = Pick<Selectable<RecordsTable>, 'key' | 'source_hash' | 'starts_on' | 'ends_on'>;

/** Counts of a staged plan, and the writes that it needs. */
export interface PlanTotals {
  /** `created`, `updated` and the other outcomes are still zero. */
  counts: RunCounts;
  creates: number;
  updates: number;
  /** Those of the updates that only try undelivered files again. */
  fileRetries: number;
  /** Missing records that are deleted or marked. */
  removals: number;
}

export function createStagingStore(database: LedgerDatabase) {
  const { db, now, forRows, lockCreates, lockRows, unsynced, runtime } = database;
  return {
    known,
    unchanged,
    alreadyStaged,
    add,
    reject,
    changes,
    changePage,
    countByEffect,
    problems,
    summarise,
    countDelivered,
    apply,
    discard,
  };

  async function known(sync: string, keys: readonly string[]): Promise<Map<string, KnownRecord>> {
    if (keys.length === 0) return new Map();
    const rows = await all<KnownRow>(db)`
      select ${knownColumns} from record_contents where sync = ${sync} and ${isOneOf('key', keys)}
    `;
    return new Map((await withKnown(rows, { db, runtime })).map(({ row, known }) => [row.key, known]));
  }

  /** Returns the records that the CMS has exactly as these sources want them, by their keys. */
  async function unchanged(sync: string, sources: readonly Source[]): Promise<Map<string, UnchangedRecord>> {
    if (sources.length === 0) return new Map();
    const hashes = new Map(sources.map(({ key, source_hash }) => [key, source_hash]));
    const rows = await all<UnchangedRecord>(db)`
      select key, source_hash, starts_on, ends_on from records
      where ${isAsDesired} and sync = ${sync} and ${isOneOf('key', [...hashes.keys()])}
    `;
    return new Map(rows.flatMap((row) => (row.source_hash === hashes.get(row.key) ? [[row.key, row]] : [])));
  }

  /** Returns those of the keys that this run has staged already. */
  async function alreadyStaged(run: string, keys: readonly string[]): Promise<AlreadyStaged[]> {
    if (keys.length === 0) return [];
    return all<AlreadyStaged>(db)`
      select key, place, op, read_hash from staged_changes where run = ${run} and ${isOneOf('key', keys)}
    `;
  }

  /** Rows with the same columns share a statement: most rows have few columns. */
  async function add(rows: readonly StagedRow[]): Promise<void> {
    if (rows.length === 0) return;
    // A run does not survive a power failure, and the commit that makes its plan desired reaches the disk later.
    await unsynced(async (transaction) => {
      const staged = await withContents(transaction, rows);
      for (const [, alike] of Map.groupBy(staged, (row) => Object.keys(row).join())) {
        const names = sql.join(Object.keys(alike[0] ?? {}).map((name) => sql.ref(name)));
        const insert = (table: RawBuilder<unknown>) =>
          sql`insert into staged_changes (${names}) select ${names} from ${table} as staged`;
        await forRows(transaction, alike, insert, ['cms_id', 'wanted', 'asked_about'], { isNarrow: true });
      }
    });
  }

  /** Adds the contents of rows, and lets these point to them. */
  async function withContents(transaction: Transaction<LedgerTables>, rows: readonly StagedRow[]) {
    const contents = rows.flatMap(({ desired, attachments, hash, series, slot, given_by, days }) =>
      typeof desired === 'string' ? [{ payload: desired, attachments, hash, series, slot, given_by, days }] : [],
    );
    const ids = (await addContents(transaction, contents, database)).values();
    return rows.map(({ desired, attachments: _, series: __, slot: ___, given_by: ____, days: _____, ...row }) => {
      return (typeof desired === 'string' ? { ...row, wanted: ids.next().value } : row) as Record<
        string,
        string | number
      >;
    });
  }

  /** Rejects staged records that turned out to share their key. */
  async function reject(run: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await change(db)`
      update staged_changes set op = 'rejected', wanted = null, hash = null, changed = null, password = null, source_hash = null
      where run = ${run} and ${isOneOf('key', keys)}
    `;
  }

  /** Reads the changes of a plan in pages, by kind and in the order of their keys. */
  async function* changes(run: string, sync: string): AsyncGenerator<StagedChange[]> {
    for (const op of plannedOps) {
      const read = (after: string, limit: number) => stagedRows(run, sync, op, after, limit);
      for await (const rows of pagesByKey(read)) yield rows.map(toChange);
    }
  }

  /** The changes of one kind in a plan whose keys follow `after`, in the order of the keys. */
  async function changePage(run: string, sync: string, op: PlannedOp, after: string, limit: number) {
    return (await stagedRows(run, sync, op, after, limit)).map(toChange);
  }

  /** How many changes of each kind a plan has, and how many records it holds back. */
  async function countByEffect(run: string): Promise<Record<PlannedEffect | 'held', number>> {
    const rows = await all<{ effect: PlannedEffect | 'held'; records: number }>(db)`
      select ${plannedEffect} as effect, count(*) as records from staged_changes
      where run = ${run} and (${isPlanned} or op = 'held') group by effect
    `;
    const count = (effect: PlannedEffect | 'held') => rows.find((row) => row.effect === effect)?.records ?? 0;
    return {
      ...{ create: count('create'), createAgain: count('createAgain'), update: count('update') },
      ...{ delete: count('delete'), mark: count('mark'), held: count('held') },
    };
  }

  function stagedRows(run: string, sync: string, op: PlannedOp, after: string, limit: number): Promise<ChangeRow[]> {
    return all<ChangeRow>(db)`
      select staged_changes.*, records.cms_id as known_cms_id, records.item as known_item, contents.payload as known_delivered,
        ${plannedEffect} as effect, ${editFound} as edit
      from staged_contents as staged_changes
        left join records on records.sync = ${sync}
          and records.key = coalesce(staged_changes.previous_key, staged_changes.key)
        left join contents on contents.id = records.has
      where staged_changes.run = ${run} and op = ${op} and ${isPlanned} and staged_changes.key > ${after}
      order by staged_changes.key limit ${limit}
    `;
  }

  /** The records that the plan holds back, and why, in the order of the keys. */
  async function problems(run: string) {
    const rows = await all<TitleColumns & Pick<StagedContents, 'key' | 'error'>>(db)`
      select key, resource, desired, delivered, item, error from staged_contents
      where run = ${run} and op in ('held', 'failed') order by key
    `;
    return rows.map((row) => ({ key: row.key, ...titleIn(row), ...reportedError(row.error) }));
  }

  /**
   * Sums up a staged plan, or its records with these keys. The rejections of an undo or a purge count as skipped.
   */
  async function summarise(run: string, keys?: readonly string[]): Promise<PlanTotals> {
    const among = keys ? sql`and ${isOneOf('key', keys)}` : sql``;
    const rows = await all<{ op: StagedRow['op']; records: number; retries: number }>(db)`
      select op, count(*) as records, count(case when retries_files = 'only' then 1 end) as retries
      from staged_changes where run = ${run} and op <> 'rejected' ${among} group by op
      union all
      select case when (select kind from runs where id = ${run}) in ('undo', 'purge') then 'skipped' else 'rejected' end,
        count(*), 0
      from rejections where run = ${run}
    `;
    const sum = (...ops: Array<StagedRow['op']>) =>
      rows.reduce((total, { op, records }) => total + (ops.includes(op) ? records : 0), 0);
    const [creates, updates, removals] = [sum('create'), sum('update', 'restore'), sum('delete', 'mark')];
    const [unchanged, skipped, rejected] = [sum('unchanged'), sum('skipped'), sum('rejected')];
    const read = creates + updates + sum('failed', 'held') + unchanged + skipped + rejected;
    return {
      counts: { ...zeroCounts(), read, unchanged, skipped, rejected, missing: removals },
      creates,
      updates,
      fileRetries: rows.reduce((sum, { retries }) => sum + retries, 0),
      removals,
    };
  }

  async function countDelivered(sync: string): Promise<number> {
    return (await cell<number>(db)`select count(*) from records where sync = ${sync} and ${hasItem}`) ?? 0;
  }

  /** Makes the plan the desired state, in one transaction, and returns the keys to deliver. */
  function apply(run: string, sync: string, rules?: ApplyRules): Promise<string[]> {
    return makeDesired(db, { run, sync, now, lockCreates, lockRows, forRows, ...rules });
  }

  /** Deletes the plan of a run, unless it is held and can be approved. */
  async function discard(run: string): Promise<void> {
    await change(db)`
      delete from staged_changes where run = ${run}
        and not exists (select 1 from runs where id = ${run} and status = 'held' and held_set is not null)
    `;
  }
}

type ChangeRow = Selectable<StagedContents> & {
  known_cms_id: number | null;
  known_item: string | null;
  known_delivered: string | null;
  effect: PlannedEffect;
  edit: string | null;
};

/** One change of a plan. */
function toChange(row: ChangeRow) {
  const known = deliveredIn({ delivered: row.known_delivered, item: row.known_item });
  const delivered = withSeen(payloadIn(row.delivered) ?? known, row.edit);
  const resource = row.resource as Resource;
  const payload = (row.op === 'delete' ? delivered : payloadIn(row.desired)) ?? {};
  return {
    key: row.key,
    title: recordTitle({ ...delivered, ...payload }, resource),
    op: row.op as PlannedOp,
    /** Its item was deleted in the CMS. */
    ...(row.effect === 'createAgain' && { isCreatedAgain: true }),
    at: row.place,
    resource,
    /** For a delete, the content delivered last. */
    payload,
    attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
    changed: JSON.parse(row.changed ?? '[]') as string[],
    /** The content delivered last, of a repair with the edits that the verification saw; null: nothing was delivered yet. */
    delivered,
    /** Whether undelivered files are tried again: only them, or other attributes also. */
    ...(row.retries_files === null ? {} : { retriesFiles: row.retries_files }),
    /** Id of the item that the record adopts. */
    ...(row.cms_id === null ? {} : { adopts: row.cms_id }),
    /** Id of the record's item. */
    ...(row.known_cms_id === null ? {} : { cmsId: row.known_cms_id }),
  };
}

/** Adds what a verification saw in an item to what was delivered, for the attributes that a repair delivers again. */
function withSeen(delivered: Payload | null, edit: string | null): Payload | null {
  const { live = {} } = edit === null ? {} : (JSON.parse(edit) as { live?: Payload });
  const again = Object.entries(live).filter(([attribute]) => delivered?.[attribute] === UNKNOWN);
  return again.length === 0 ? delivered : { ...delivered, ...Object.fromEntries(again) };
}
