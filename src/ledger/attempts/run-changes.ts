import { type Nullable, type Selectable, sql } from 'kysely';
import { hasOpenAttempt, isBeingCreated } from '../database/conditions.ts';
import { deliveredIn } from '../database/item-state.ts';
import { pagesAfter, payloadIn, titleIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerDatabase, RecordContents, RunRow } from '../database/schema.ts';
import { all, cell, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';

export type Effect = Extract<AttemptsTable['outcome'], 'created' | 'updated' | 'removed'>;

/** Which changes of a run are read. */
export interface ChangeFilter {
  effect?: Effect;
  /** Name of an attribute that the change has sent. */
  attribute?: string;
}

export type RunChange = ReturnType<typeof toChange>;
export type LaterChange = ReturnType<typeof toLater>;

/** What runs have changed in the CMS, according to the history of the records. */
export function createRunChangeStore({ db }: LedgerDatabase) {
  return { countChanges, changes, changePage, unconfirmed, isOverwritten, linkUndo, undoneBy };

  /** How many changes of a run are still in the history. */
  async function countChanges(run: string): Promise<number> {
    return (await cell<number>(db)`select count(*) from attempts where run = ${run} and ${isEffect}`) ?? 0;
  }

  /** Reads the changes of a run in pages. */
  async function* changes(run: string): AsyncGenerator<RunChange[]> {
    const read = ({ id }: { id: number }, limit: number) => all<{ id: number }>(db)`
      select distinct record as id from attempts
      where run = ${run} and record > ${id} and ${isEffect} order by record limit ${limit}
    `;
    for await (const rows of pagesAfter({ id: 0 }, read)) yield changesOf(run, rows);
  }

  /** The changes of a run whose keys follow `after`, in the order of the keys. */
  async function changePage(
    run: string,
    sync: string,
    after: string,
    limit: number,
    { effect, attribute }: ChangeFilter = {},
  ): Promise<RunChange[]> {
    // The names of attributes are a JSON array.
    const changed = await all<{ id: number; key: string }>(db)`
      select distinct records.id, key from attempts join records on records.id = attempts.record
      where attempts.run = ${run} and sync = ${sync} and key > ${after} and ${isEffect}
        ${effect ? sql`and attempts.outcome = ${effect}` : sql``}
        ${attribute === undefined ? sql`` : sql`and attributes like ${`%${JSON.stringify(attribute)}%`}`}
      order by key limit ${limit}
    `;
    return changesOf(run, changed);
  }

  async function changesOf(run: string, changed: ReadonlyArray<{ id: number }>): Promise<RunChange[]> {
    const ids = changed.map(({ id }) => id);
    if (ids.length === 0) return [];
    const [attempts, records] = await Promise.all([attemptsOf(ids), recordsOf(ids)]);
    const attemptsByRecord = Map.groupBy(attempts, ({ record }) => record);
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.flatMap((id) => {
      const entries = attemptsByRecord.get(id) ?? [];
      const change = entries.findLast((entry) => entry.run === run);
      const record = byId.get(id);
      if (!change || !record) return [];
      const since = entries.filter((entry) => entry.seq > change.seq);
      return toChange(change, since, record);
    });
  }

  function attemptsOf(ids: readonly number[]) {
    return all<Attempt>(db)`
      select attempts.*, runs.undoes from attempts left join runs on runs.id = attempts.run
      where ${isOneOf('record', ids)} and ${isEffect} order by seq
    `;
  }

  function recordsOf(ids: readonly number[]) {
    return all<ChangedRow>(db)`
      select id, key, place, resource, cms_id, desired, delivered, item, ${hasOpenAttempt(wasSent)} as unconfirmed
      from record_contents as records where ${isOneOf('id', ids)}
    `;
  }

  /** Records that a run may have changed without a confirmation. */
  async function unconfirmed(run: string): Promise<Array<{ key: string; title?: string; at: string }>> {
    const rows = await all<Pick<RecordContents, 'key' | 'place' | 'resource' | 'desired' | 'delivered' | 'item'>>(db)`
      select key, place, resource, desired, delivered, item from record_contents as records
      where (
        id in (select record from attempts where attempts.run = ${run} and ${wasSent})
        or (run = ${run} and ${isBeingCreated})
      ) and id not in (select record from attempts where attempts.run = ${run} and ${isEffect})
      order by key
    `;
    return rows.map((row) => ({ key: row.key, ...titleIn(row), at: row.place }));
  }

  /**
   * Returns whether later runs have changed all items of a run, or have undone its changes: then nothing is left to undo. Later runs
   * that were undone do not count, nor do their undos.
   */
  async function isOverwritten(run: string): Promise<boolean> {
    const hasEffect = sql`outcome in ('created', 'updated', 'removed') and method is not null`;
    const changes = sql`select 1 from attempts as change where run = ${run} and ${hasEffect}`;
    const isOverwritten = await cell<boolean | 0 | 1>(db)`
      select exists (${changes}) and not exists (${changes} and not exists (
        select 1 from attempts as later join runs on runs.id = later.run
        where later.record = change.record and later.seq > change.seq and ${hasEffect}
          and later.run <> ${run} and (runs.undoes is null or runs.undoes = ${run})
          and not exists (select 1 from runs as undo where undo.undoes = runs.id)
      ))
    `;
    return Boolean(isOverwritten);
  }

  /** Records which run an undo takes back. */
  async function linkUndo(run: string, undone: string): Promise<void> {
    await change(db)`update runs set undoes = ${undone} where id = ${run}`;
  }

  /** The run that an undo takes back. */
  async function undoneBy(run: string): Promise<string | undefined> {
    return (await cell<string | null>(db)`select undoes from runs where id = ${run}`) ?? undefined;
  }
}

/** Of attempts: the delivery has changed something in the CMS. */
const isEffect = sql`(attempts.outcome in ('created', 'updated', 'removed') and method is not null)`;

/** Of attempts: the CMS may have applied the call. */
const wasSent = sql<boolean>`attempts.doubt = 'sent'`;

type Attempt = AttemptsTable & Pick<Nullable<RunRow>, 'undoes'>;
type ChangedColumns = 'id' | 'key' | 'place' | 'resource' | 'cms_id' | 'desired' | 'delivered' | 'item';
type ChangedRow = Pick<Selectable<RecordContents>, ChangedColumns> & { unconfirmed: boolean };

/** What a run did to the item of one record, and what later runs did to it. */
function toChange(change: Attempt, since: readonly Attempt[], record: ChangedRow) {
  const [before, after] = [payloadIn(change.before), payloadIn(change.after)];
  return {
    key: record.key,
    effect: change.outcome as Effect,
    /** Names of the attributes that were sent. */
    attributes: JSON.parse(change.attributes ?? '[]') as string[],
    /** The images of the change (see Sent); null: none. */
    before,
    after,
    /** All that is known of the item; of a deleted one, what the source or a later run last had. */
    content: {
      ...payloadIn(record.desired),
      ...Object.assign({}, ...since.map((later) => payloadIn(later.before))),
      ...before,
      ...deliveredIn(record),
      ...after,
    },
    cmsId: change.cms_id,
    /** Changes of the item by later runs, oldest first. */
    since: since.map(toLater),
    /** The record as it is now. */
    record: toRecord(record),
  };
}

function toLater({ run, undoes, outcome, before, replaced, cms_id }: Attempt) {
  return {
    run,
    /** The run that this run takes back. */
    undoes,
    effect: outcome as Effect,
    before: payloadIn(before),
    replaced: payloadIn(replaced),
    cmsId: cms_id,
  };
}

function toRecord({ place, resource, cms_id, unconfirmed, ...has }: ChangedRow) {
  return {
    at: place,
    resource,
    cmsId: cms_id,
    delivered: deliveredIn(has),
    /** A change of the record was sent, and it is unknown whether the CMS applied it. */
    isUnconfirmed: Boolean(unconfirmed),
  };
}
