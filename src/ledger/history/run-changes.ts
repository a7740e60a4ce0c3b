import { type Selectable, sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { isInDoubt } from '../database/conditions.ts';
import type { HistoryTable, LedgerDatabase } from '../database/schema.ts';

/** Keys in a statement at a time. */
const PAGE = 500;
const EFFECTS = ['created', 'updated', 'removed'] as const satisfies Array<HistoryTable['outcome']>;

export type Effect = (typeof EFFECTS)[number];

/** What a run did to the item of one record, and what happened to it since. */
export interface RunChange {
  key: string;
  effect: Effect;
  /** Names of the attributes that were sent. */
  attributes: string[];
  /** The images of the change (see Sent); null: none. */
  before: Payload | null;
  after: Payload | null;
  cmsId: number | null;
  /** What later runs did to it, oldest first. */
  since: LaterChange[];
  /** The record as it is now; absent: the ledger no longer has it. */
  record?: ChangedRecord;
}

export interface LaterChange {
  run: string;
  /** The run that this one takes back. */
  undoes: string | null;
  effect: Effect;
  before: Payload | null;
  replaced: Payload | null;
  cmsId: number | null;
}

export interface ChangedRecord {
  at: string;
  resource: Resource;
  cmsId: number | null;
  delivered: Payload | null;
  /** A change of it was sent, and it is unknown whether it was applied. */
  isUnsettled: boolean;
}

/** What runs have changed in the CMS, according to the history of the records; of a backfill, what its slices have. */
export function createRunChangeStore({ db }: LedgerDatabase) {
  return { countChanges, changes, unsettled, linkUndo };

  /** How many changes of a run the history still has. */
  async function countChanges(run: string): Promise<number> {
    const { changes } = await effects()
      .select(({ fn }) => fn.countAll<number>().as('changes'))
      .where('run', 'in', partsOf(run))
      .executeTakeFirstOrThrow();
    return Number(changes);
  }

  /** Reads the changes of a run in pages, in the order of the keys. */
  async function* changes(run: string, sync: string): AsyncGenerator<RunChange[]> {
    for (let seen = ''; ; ) {
      const keys = await keysOf(run, sync, seen);
      if (keys.length > 0) yield await changesOf(run, sync, keys);
      if (keys.length < PAGE) return;
      seen = keys.at(-1) ?? seen;
    }
  }

  async function keysOf(run: string, sync: string, after: string): Promise<string[]> {
    const rows = await effects()
      .select('key')
      .distinct()
      .where('run', 'in', partsOf(run))
      .where('sync', '=', sync)
      .where('key', '>', after)
      .orderBy('key')
      .limit(PAGE)
      .execute();
    return rows.map(({ key }) => key);
  }

  async function changesOf(run: string, sync: string, keys: readonly string[]): Promise<RunChange[]> {
    const [attempts, records] = await Promise.all([attemptsOf(sync, keys), recordsOf(sync, keys)]);
    const attemptsByKey = Map.groupBy(attempts, ({ key }) => key);
    return keys.flatMap((key) => {
      const entries = attemptsByKey.get(key) ?? [];
      const change = entries.findLast((entry) => entry.run === run || entry.part_of === run);
      const record = records.get(key);
      if (!change) return [];
      const since = entries.filter((entry) => entry.seq > change.seq).map(toLater);
      return { ...toChange(change), since, ...(record ? { record } : {}) };
    });
  }

  function attemptsOf(sync: string, keys: readonly string[]) {
    return effects()
      .leftJoin('runs', 'runs.id', 'history.run')
      .selectAll('history')
      .select(['runs.undoes', 'runs.part_of'])
      .where('history.sync', '=', sync)
      .where('key', 'in', keys)
      .orderBy('seq')
      .execute();
  }

  async function recordsOf(sync: string, keys: readonly string[]): Promise<Map<string, ChangedRecord>> {
    const rows = await db
      .selectFrom('records')
      .select(['key', 'place', 'resource', 'cms_id', 'delivered'])
      .select(sql<number>`case when ${isUnsettled} then 1 else 0 end`.as('unsettled'))
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .execute();
    return new Map(
      rows.map(({ key, place, resource, cms_id, delivered, unsettled }) => [
        key,
        {
          at: place,
          resource: resource as Resource,
          cmsId: cms_id,
          delivered: toPayload(delivered),
          isUnsettled: Number(unsettled) === 1,
        },
      ]),
    );
  }

  /** Records that a run may have changed without a confirmation. */
  function unsettled(run: string): Promise<Array<{ key: string; at: string }>> {
    return db
      .selectFrom('records')
      .select(['key', 'place as at'])
      .where('run', 'in', partsOf(run))
      .where(isUnsettled)
      .where('key', 'not in', effects().select('key').where('run', 'in', partsOf(run)))
      .orderBy('key')
      .execute();
  }

  /** Notes which run an undo takes back. */
  async function linkUndo(run: string, undone: string): Promise<void> {
    await db.updateTable('runs').set({ undoes: undone }).where('id', '=', run).execute();
  }

  /** The run itself, and of a backfill its slices. */
  function partsOf(run: string) {
    return db
      .selectFrom('runs')
      .select('id')
      .where(({ or, eb }) => or([eb('id', '=', run), eb('part_of', '=', run)]));
  }

  /** The deliveries that changed something in the CMS. */
  function effects() {
    return db.selectFrom('history').where('outcome', 'in', EFFECTS).where('method', 'is not', null);
  }
}

const isUnsettled = sql<boolean>`(
  records.status <> 'delivered' and (records.before_image is not null or (${isInDoubt} and records.cms_id is null))
)`;

function toChange({ key, outcome, attributes, before, after, cms_id }: Selectable<HistoryTable>) {
  return {
    key,
    effect: outcome as Effect,
    attributes: JSON.parse(attributes ?? '[]') as string[],
    before: toPayload(before),
    after: toPayload(after),
    cmsId: cms_id,
  };
}

function toLater(entry: Selectable<HistoryTable> & { undoes: string | null; part_of: string | null }): LaterChange {
  return {
    run: entry.part_of ?? entry.run,
    undoes: entry.undoes,
    effect: entry.outcome as Effect,
    before: toPayload(entry.before),
    replaced: toPayload(entry.replaced),
    cmsId: entry.cms_id,
  };
}

function toPayload(column: string | null): Payload | null {
  return column === null ? null : (JSON.parse(column) as Payload);
}
