import { type Nullable, type Selectable, sql } from 'kysely';
import { hasOpenAttempt } from '../database/conditions.ts';
import { countRows, pagesByKey, payloadIn, titleIn } from '../database/queries.ts';
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

  /** Reads the changes of a run in pages, in the order of the keys. */
  async function* changes(run: string, sync: string): AsyncGenerator<RunChange[]> {
    for await (const rows of pagesByKey((after, limit) => changedKeys(run, sync, after, limit))) {
      yield await changesOf(
        run,
        sync,
        rows.map(({ key }) => key),
      );
    }
  }

  /** The changes of a run whose keys follow `after`, in the order of the keys. */
  async function changePage(
    run: string,
    sync: string,
    after: string,
    limit: number,
    filter?: ChangeFilter,
  ): Promise<RunChange[]> {
    const rows = await changedKeys(run, sync, after, limit, filter);
    return changesOf(
      run,
      sync,
      rows.map(({ key }) => key),
    );
  }

  function changedKeys(
    run: string,
    sync: string,
    after: string,
    limit: number,
    { effect, attribute }: ChangeFilter = {},
  ) {
    return (
      effects()
        .select('key')
        .distinct()
        .where(({ and }) => and({ run, sync }))
        .where('key', '>', after)
        .$if(effect !== undefined, (query) => query.where('outcome', '=', effect ?? null))
        // The names are a JSON array.
        .$if(attribute !== undefined, (query) => query.where('attributes', 'like', `%${JSON.stringify(attribute)}%`))
        .orderBy('key')
        .limit(limit)
        .execute()
    );
  }

  async function changesOf(run: string, sync: string, keys: readonly string[]): Promise<RunChange[]> {
    if (keys.length === 0) return [];
    const [attempts, records] = await Promise.all([attemptsOf(sync, keys), recordsOf(sync, keys)]);
    const attemptsByKey = Map.groupBy(attempts, ({ key }) => key);
    const recordsByKey = new Map(records.map((record) => [record.key, record]));
    return keys.flatMap((key) => {
      const entries = attemptsByKey.get(key) ?? [];
      const change = entries.findLast((entry) => entry.run === run);
      if (!change) return [];
      const since = entries.filter((entry) => entry.seq > change.seq);
      return toChange(change, since, recordsByKey.get(key));
    });
  }

  function attemptsOf(sync: string, keys: readonly string[]) {
    return effects()
      .leftJoin('runs', 'runs.id', 'attempts.run')
      .selectAll('attempts')
      .select('runs.undoes')
      .where('attempts.sync', '=', sync)
      .where('key', 'in', keys)
      .orderBy('seq')
      .execute();
  }

  function recordsOf(sync: string, keys: readonly string[]): Promise<ChangedRow[]> {
    return db
      .selectFrom('records')
      .select(['key', 'place', 'resource', 'cms_id', 'desired', 'delivered', hasOpenAttempt(wasSent).as('unconfirmed')])
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .execute();
  }

  /** Records that a run may have changed without a confirmation. */
  async function unconfirmed(run: string): Promise<Array<{ key: string; title?: string; at: string }>> {
    const rows = await db
      .selectFrom('attempts')
      .innerJoin('records', (join) =>
        join.onRef('records.sync', '=', 'attempts.sync').onRef('records.key', '=', 'attempts.key'),
      )
      .select(['attempts.key', 'place', 'resource', 'desired', 'delivered'])
      .distinct()
      .where('attempts.run', '=', run)
      .where(wasSent)
      .where('attempts.key', 'not in', effects().select('key').where('run', '=', run))
      .orderBy('attempts.key')
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
    return db.selectFrom('attempts').where('outcome', 'in', EFFECTS).where('method', 'is not', null);
  }
}

/** Of attempts: the CMS may have applied the call. */
const wasSent = sql<boolean>`attempts.doubt = 'sent'`;

type Attempt = Selectable<AttemptsTable> & Pick<Nullable<RunRow>, 'undoes'>;
type ChangedRow = Pick<RecordsTable, 'key' | 'place' | 'resource' | 'cms_id' | 'desired' | 'delivered'> & {
  unconfirmed: boolean;
};

/** What a run did to the item of one record, and what later runs did to it. */
function toChange(change: Attempt, since: readonly Attempt[], record: ChangedRow | undefined) {
  const [before, after] = [payloadIn(change.before), payloadIn(change.after)];
  return {
    key: change.key,
    effect: change.outcome as Effect,
    /** Names of the attributes that were sent. */
    attributes: JSON.parse(change.attributes ?? '[]') as string[],
    /** The images of the change (see Sent); null: none. */
    before,
    after,
    /** All that is known of the item; of a deleted one, what the source or a later run last had. */
    content: {
      ...payloadIn(record?.desired ?? null),
      ...Object.assign({}, ...since.map((later) => payloadIn(later.before))),
      ...before,
      ...payloadIn(record?.delivered ?? null),
      ...after,
    },
    cmsId: change.cms_id,
    /** Changes of the item by later runs, oldest first. */
    since: since.map(toLater),
    /** The record as it is now; absent if it is no longer in the ledger. */
    ...(record ? { record: toRecord(record) } : {}),
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
