import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { DayRange } from '../../core/dates/iso-date.ts';
import type { Payload } from '../../core/record.ts';
import { hashOf, hasItem, mayHaveItem } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn } from '../database/item-state.ts';
import type { LedgerDatabase, LedgerTables, RecordContents, RecordsTable } from '../database/schema.ts';
import { all, cell, exists, only } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { addContents } from '../records/contents.ts';
import { missed, move, returned } from '../records/transitions.ts';
import { REMEMBERED_MS } from '../runs/last-reading.ts';

/** The records for which a reading of a source is authoritative: those on some days, except some that are over. */
export interface Covered extends DayRange {
  /** The keys of the records on these days that are over. */
  over?: readonly string[];
  /** Not those of sources that the sync no longer has. */
  withoutFormer?: boolean;
}

/** What to do with missing records, and when. */
export interface MissingAction {
  op: 'delete' | 'mark';
  /** Of a mark: the attributes that are written, and their hash. */
  mark?: { attributes: Payload; hash: string };
  /** For how long records have to be missing first: in runs, this one included, or in ms. */
  after: { runs: number } | { ms: number };
}

type Removal = Pick<RecordsTable, 'key' | 'place' | 'resource' | 'starts_on' | 'ends_on'>;

/** Records that a complete reading of the source does not have. */
export function createMissingStore({ db, now, forRows }: LedgerDatabase) {
  return { endingOn, countMissing, stageMissing, stageDeleted, publishedAmong, hasMissing, countRemoved };

  /** Returns the records that may have items and whose last day is one of these, as their source had them last. */
  async function endingOn(sync: string, from: string, to: string): Promise<Array<{ key: string; payload: Payload }>> {
    const rows = await all<Pick<RecordContents, 'key' | 'desired' | 'delivered' | 'item'>>(db)`
      select key, desired, delivered, item from record_contents as records
      where sync = ${sync} and ${mayHaveItem} and coalesce(ends_on, starts_on) between ${from} and ${to}
    `;
    return rows.map(({ key, ...row }) => ({ key, payload: contentOf(row) }));
  }

  /** What is desired of a marked record is only its mark. */
  function contentOf({ desired, ...has }: { desired: string } & DeliveredColumns): Payload {
    return { ...deliveredIn(has), ...JSON.parse(desired) };
  }

  /** Counts the items on the days of a reading, and how many of these the reading lacks. Call it after staging all removals. */
  async function countMissing(run: string, sync: string, covered: Covered) {
    const isNew = sql`(missing_since is null or missing_since > ${now} - cast(${REMEMBERED_MS} as bigint))`;
    const counts = await only<{ covered: number; missing: number | null; newly: number | null }>(db)`
      select count(*) as covered, sum(case when ${isUnread(run)} then 1 else 0 end) as missing,
        sum(case when ${isUnread(run)} and ${isNew} then 1 else 0 end) as newly
      from records where sync = ${sync} and (
        (${hasItem} and ${isOn(covered)} and not ${isMarked}) or (${mayHaveItem} and ${isStaged(run, sql`op in ('delete', 'mark')`)})
      )
    `;
    return {
      /** Items on these days, except those that are already marked and stay marked. */
      covered: counts.covered,
      missing: counts.missing ?? 0,
      /** Those that have been missing for less than seven days. */
      newly: counts.newly ?? 0,
    };
  }

  /** Stages the actions that are due for missing records. Returns how many. */
  async function stageMissing(run: string, sync: string, covered: Covered, action: MissingAction): Promise<number> {
    const { after } = action;
    const isDue =
      'runs' in after
        ? sql`missing_runs + 1 >= ${after.runs}`
        : sql`missing_since is not null and missing_since <= ${now} - cast(${after.ms} as bigint)`;
    // Records that the source has deleted are staged already.
    const isOpen = sql`${isMissing(run, covered)} and not ${isStaged(run)}`;
    return (await stageRemovals(run, sync, action, sql`${isOpen} and ${isDue}`)).length;
  }

  /** Stages the action for those of the keys that the source has deleted and that may be in the CMS. Returns these keys. */
  async function stageDeleted(
    run: string,
    sync: string,
    keys: readonly string[],
    action: MissingAction,
  ): Promise<string[]> {
    if (keys.length === 0) return [];
    return stageRemovals(run, sync, action, sql`${isOneOf('key', keys)} and ${mayHaveItem}`);
  }

  /** Returns those of the records whose items the site shows, as far as is known; without marked ones. */
  async function publishedAmong(sync: string, keys: readonly string[]) {
    if (keys.length === 0) return [];
    const rows = await all<Pick<RecordContents, 'key' | 'place' | 'cms_id' | 'desired' | 'delivered' | 'item'>>(db)`
      select key, place, cms_id, desired, delivered, item from record_contents as records
      where sync = ${sync} and ${isOneOf('key', keys)} and not ${isMarked} and status <> 'deleted'
    `;
    return rows.flatMap(({ key, place, cms_id: cmsId, ...row }) => {
      return cmsId === null ? [] : [{ key, place, cmsId, payload: contentOf(row) }];
    });
  }

  async function stageRemovals(
    run: string,
    sync: string,
    { op, mark }: MissingAction,
    condition: RawBuilder<unknown>,
  ): Promise<string[]> {
    const isNew = mark ? sql`(not ${isMarked} or ${hashOf('wanted')} is distinct from ${mark.hash})` : sql`1 = 1`;
    return db.transaction().execute(async (transaction) => {
      const rows = await all<Removal>(transaction)`
        select key, place, resource, starts_on, ends_on from records where sync = ${sync} and ${condition} and ${isNew}
      `;
      const content = mark && { payload: JSON.stringify(mark.attributes), hash: mark.hash };
      const ids = await addContents(transaction, content ? rows.map(() => content) : [], { forRows });
      const changed = JSON.stringify(Object.keys(mark?.attributes ?? {}));
      const staged = rows.map((row, index) => {
        return { run, op, ...row, changed, wanted: ids[index] ?? null, hash: mark?.hash ?? null };
      });
      const insert = (table: RawBuilder<unknown>) => sql`
        insert into staged_changes (run, op, key, place, resource, starts_on, ends_on, changed, wanted, hash)
        select run, op, key, place, resource, starts_on, ends_on, changed, wanted, hash from ${table} as removal
      `;
      await forRows(transaction, staged, insert, ['wanted'], { isNarrow: true });
      return rows.map(({ key }) => key);
    });
  }

  /**
   * Counts the records that runs of the last days have deleted or marked since the last approval and that are still deleted or
   * marked; without the records that this run has read or marks again.
   */
  async function countRemoved(run: string, sync: string): Promise<number> {
    const isRecent = sql`exists (
      select 1 from runs where runs.id = records.run and runs.kind in ('run', 'retry')
        and runs.started_at > ${now} - cast(${REMEMBERED_MS} as bigint)
        and runs.started_at > coalesce(
          (select max(started_at) from runs as approvals where approvals.sync = ${sync} and approvals.kind = 'approve'), 0)
    )`;
    const removed = await cell<number>(db)`
      select count(*) from records
      where sync = ${sync} and (status = 'removed' or ${isMarked}) and not ${isStaged(run)} and ${isRecent}
    `;
    return removed ?? 0;
  }

  /** Whether a record on these days is missing and so may have to be deleted or marked even if the feed is unchanged. */
  function hasMissing(sync: string, covered: Covered, op: MissingAction['op']): Promise<boolean> {
    return exists(db)`
      select 1 from records
      where sync = ${sync} and missing_since is not null and ${mayHaveItem} and ${isOn(covered)}
        ${op === 'mark' ? sql`and not ${isMarked}` : sql``}
    `;
  }
}

/** Remembers since when records have been missing. */
export async function noteMissing(
  transaction: Transaction<LedgerTables>,
  { run, sync, covered, now }: { run: string; sync: string; covered: Covered } & Pick<LedgerDatabase, 'now'>,
): Promise<void> {
  await move(missed(now), { where: sql`sync = ${sync} and ${isMissing(run, covered)}` }).execute(transaction);
}

/** Remembers that records are missing which have lost their keys to other ones (`keyWithoutSource`). The plan was just applied to the keys. */
export async function noteReleased(
  transaction: Transaction<LedgerTables>,
  { run, sync, now }: { run: string; sync: string } & Pick<LedgerDatabase, 'now'>,
): Promise<void> {
  const isReleased = isStaged(run, sql`previous_key || ' #' || records.id = staged_changes.key`);
  await move(missed(now), { where: sql`sync = ${sync} and ${isReleased}` }).execute(transaction);
}

/** Clears the missing state of records that a run has read in its feed. A run without a feed clears nothing. */
export async function forgetMissing(
  transaction: Transaction<LedgerTables>,
  { run, sync }: { run: string; sync: string },
): Promise<void> {
  const wasRead = sql`key in (
    select coalesce(previous_key, key) from staged_changes where run = ${run} and op not in ('delete', 'mark', 'restore')
  )`;
  const hasReceipt = sql`exists (select 1 from runs where id = ${run} and receipt is not null)`;
  const isBack = sql`sync = ${sync} and missing_since is not null and ${wasRead} and ${hasReceipt}`;
  await move(returned, { where: isBack }).execute(transaction);
}

/** Of records: the record may be in the CMS, and the run should have read it. */
export function isMissing(run: string, covered: Covered) {
  return sql`(${mayHaveItem} and ${isOn(covered)} and ${isUnread(run)})`;
}

/** The record's item is already marked. */
const isMarked = sql`(goal = 'mark' and status = 'delivered')`;

/** The run has not read the record, nor one that may be the same, whether or not an action for it is staged. */
function isUnread(run: string) {
  return sql`(not ${isStaged(run, sql`op not in ('delete', 'mark')`)}
    and key not in (select previous_key from staged_changes where run = ${run} and previous_key is not null)
    and id not in (select asked_about from staged_changes where run = ${run} and asked_about is not null))`;
}

/** Of records: a run has staged the record, in a row that meets a condition. */
export function isStaged(run: string, condition = sql`1 = 1`) {
  return sql`exists (
    select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key and ${condition}
  )`;
}

/** Of records of a sync with one source: only sources that it no longer has have had the record. */
const isOfFormerSource = sql<boolean>`exists (
  select 1 from members where members.sync = records.sync and members.cluster = records.key)`;

/** Records without dates belong to all days. */
function isOn({ from, to, over = [], withoutFormer }: Covered) {
  const begins = from === undefined ? sql`1 = 1` : sql`coalesce(ends_on, starts_on, ${from}) >= ${from}`;
  const ends = to === undefined ? sql`1 = 1` : sql`coalesce(starts_on, ${to}) <= ${to}`;
  const isOver = isOneOf('key', over);
  const isCurrent = withoutFormer ? sql`not ${isOfFormerSource}` : sql`1 = 1`;
  return sql<boolean>`(${begins} and ${ends} and not ${isOver} and ${isCurrent})`;
}
