import { type Nullable, type Selectable, sql } from 'kysely';
import { hasOpenAttempt, isBeingCreated } from '../database/conditions.ts';
import { countRows, pagesAfter, payloadIn, titleIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerDatabase, RecordsTable, RunRow } from '../database/schema.ts';

const EFFECTS = ['created', 'updated', 'removed'] as const satisfies Array<AttemptsTable['outcome']>;

export type Effect = (typeof EFFECTS)[number];

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
  return { countChanges, changes, changePage, unconfirmed, linkUndo, undoneBy };

  /** How many changes of a run are still in the history. */
  function countChanges(run: string): Promise<number> {
    return countRows(effects().where('run', '=', run));
  }

  /** Reads the changes of a run in pages. */
  async function* changes(run: string): AsyncGenerator<RunChange[]> {
    const changed = effects().select('record as id').distinct().where('run', '=', run).orderBy('record');
    const read = ({ id }: { id: number }, limit: number) => changed.where('record', '>', id).limit(limit).execute();
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
    const changed = effects()
      .innerJoin('records', 'records.id', 'attempts.record')
      .select(['records.id', 'key'])
      .distinct()
      .where(({ and }) => and({ 'attempts.run': run, sync }))
      .where('key', '>', after)
      .$if(effect !== undefined, (query) => query.where('attempts.outcome', '=', effect ?? null))
      // The names are a JSON array.
      .$if(attribute !== undefined, (query) => query.where('attributes', 'like', `%${JSON.stringify(attribute)}%`));
    return changesOf(run, await changed.orderBy('key').limit(limit).execute());
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
    return effects()
      .leftJoin('runs', 'runs.id', 'attempts.run')
      .selectAll('attempts')
      .select('runs.undoes')
      .where('record', 'in', ids)
      .orderBy('seq')
      .execute();
  }

  function recordsOf(ids: readonly number[]): Promise<ChangedRow[]> {
    return db
      .selectFrom('records')
      .select(['id', 'key', 'place', 'resource', 'cms_id', 'desired', 'delivered'])
      .select(hasOpenAttempt(wasSent).as('unconfirmed'))
      .where('id', 'in', ids)
      .execute();
  }

  /** Records that a run may have changed without a confirmation. */
  async function unconfirmed(run: string): Promise<Array<{ key: string; title?: string; at: string }>> {
    const sent = db.selectFrom('attempts').select('record').where('attempts.run', '=', run).where(wasSent);
    const rows = await db
      .selectFrom('records')
      .select(['key', 'place', 'resource', 'desired', 'delivered'])
      .where(({ eb, and, or }) => or([eb('id', 'in', sent), and([eb('run', '=', run), isBeingCreated])]))
      .where('id', 'not in', effects().select('record').where('run', '=', run))
      .orderBy('key')
      .execute();
    return rows.map((row) => ({ key: row.key, ...titleIn(row), at: row.place }));
  }

  /** Records which run an undo takes back. */
  async function linkUndo(run: string, undone: string): Promise<void> {
    await db.updateTable('runs').set({ undoes: undone }).where('id', '=', run).execute();
  }

  /** The run that an undo takes back. */
  async function undoneBy(run: string): Promise<string | undefined> {
    const row = await db.selectFrom('runs').select('undoes').where('id', '=', run).executeTakeFirst();
    return row?.undoes ?? undefined;
  }

  /** The deliveries that changed something in the CMS. */
  function effects() {
    return db.selectFrom('attempts').where('attempts.outcome', 'in', EFFECTS).where('method', 'is not', null);
  }
}

/** Of attempts: the CMS may have applied the call. */
const wasSent = sql<boolean>`attempts.doubt = 'sent'`;

type Attempt = Selectable<AttemptsTable> & Pick<Nullable<RunRow>, 'undoes'>;
type ChangedRow = Pick<
  Selectable<RecordsTable>,
  'id' | 'key' | 'place' | 'resource' | 'cms_id' | 'desired' | 'delivered'
> & {
  unconfirmed: boolean;
};

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
      ...payloadIn(record.delivered),
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

function toRecord({ place, resource, cms_id, delivered, unconfirmed }: ChangedRow) {
  return {
    at: place,
    resource,
    cmsId: cms_id,
    delivered: payloadIn(delivered),
    /** A change of the record was sent, and it is unknown whether the CMS applied it. */
    isUnconfirmed: Boolean(unconfirmed),
  };
}
