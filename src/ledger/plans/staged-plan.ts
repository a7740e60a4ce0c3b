import { type Selectable, sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import type { LedgerDatabase, StagedChangesTable, StagedRow } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import { type KnownRecord, knownColumns, toKnown } from '../records/known-record.ts';
import { type ApplyRules, makeDesired } from './make-desired.ts';

/** One change of a plan, and what it would change; of a record that the source has no more, what is done about it. */
export interface StagedChange {
  key: string;
  op: 'create' | 'update' | 'delete' | 'mark';
  at: string;
  resource: Resource;
  /** Of what is to be deleted: what was delivered last. */
  payload: Payload;
  attachments: StagedAttachment[];
  changed: string[];
  /** What was delivered last; null: nothing yet. */
  delivered: Payload | null;
  /** Id of the item of the CMS that it is from now on. */
  adopts?: number;
  /** Id of its item. */
  cmsId?: number;
}

/** A record that this run has met before. */
export type AlreadyStaged = Pick<Selectable<StagedChangesTable>, 'key' | 'place' | 'op'>;

export interface StagingStore {
  known(sync: string, keys: readonly string[]): Promise<Map<string, KnownRecord>>;
  /** Which of the keys this run has staged already. */
  alreadyStaged(run: string, keys: readonly string[]): Promise<AlreadyStaged[]>;
  add(rows: readonly StagedRow[]): Promise<void>;
  /** Takes records out of the plan that turned out to share their key. */
  reject(run: string, keys: readonly string[]): Promise<void>;
  changes(run: string, sync: string): Promise<StagedChange[]>;
  /** What the plan keeps back from the CMS, and why, in the order of the keys. */
  problems(run: string): Promise<Array<{ key: string; code: string; reason: string }>>;
  /** Counts of the staged records by operation. */
  countByOp(run: string): Promise<Record<StagedRow['op'], number>>;
  countDelivered(sync: string): Promise<number>;
  /** Makes the plan the desired state, in one transaction, and answers the keys to deliver. */
  apply(run: string, sync: string, rules?: ApplyRules): Promise<string[]>;
  /** Forgets the plan of a run, unless it is held for somebody to approve. */
  discard(run: string): Promise<void>;
}

export function createStagingStore({ db, now }: LedgerDatabase): StagingStore {
  return {
    known,
    alreadyStaged,
    add,
    reject,
    changes,
    problems,
    countByOp,
    countDelivered,
    apply: (run, sync, rules) => makeDesired(db, { run, sync, now, ...rules }),
    discard,
  };

  async function known(sync: string, keys: readonly string[]): Promise<Map<string, KnownRecord>> {
    if (keys.length === 0) return new Map();
    const rows = await db
      .selectFrom('records')
      .select(['key', ...knownColumns])
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .execute();
    return new Map(rows.map((row) => [row.key, toKnown(row)]));
  }

  async function alreadyStaged(run: string, keys: readonly string[]): Promise<AlreadyStaged[]> {
    if (keys.length === 0) return [];
    return db
      .selectFrom('staged_changes')
      .select(['key', 'place', 'op'])
      .where('run', '=', run)
      .where('key', 'in', keys)
      .execute();
  }

  async function add(rows: readonly StagedRow[]): Promise<void> {
    if (rows.length > 0) await db.insertInto('staged_changes').values(rows).execute();
  }

  async function reject(run: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await db
      .updateTable('staged_changes')
      .set({ op: 'rejected', desired: null, attachments: null, hash: null, changed: null, password: null })
      .where('run', '=', run)
      .where('key', 'in', keys)
      .execute();
  }

  async function changes(run: string, sync: string): Promise<StagedChange[]> {
    const rows = await db
      .selectFrom('staged_changes')
      .leftJoin('records', (join) =>
        join
          .on('records.sync', '=', sync)
          .on('records.key', '=', sql<string>`coalesce(staged_changes.previous_key, staged_changes.key)`),
      )
      .select([
        'staged_changes.key',
        'op',
        'staged_changes.place',
        'staged_changes.resource',
        'staged_changes.desired',
        'changed',
      ])
      .select(['staged_changes.attachments', 'staged_changes.cms_id', 'records.cms_id as known_cms_id'])
      .select(sql<string | null>`coalesce(staged_changes.delivered, records.delivered)`.as('delivered'))
      .where('staged_changes.run', '=', run)
      .where('op', 'in', ['create', 'update', 'delete', 'mark'])
      .orderBy('op')
      .orderBy('staged_changes.key')
      .execute();
    return rows.map((row) => ({
      key: row.key,
      op: row.op as StagedChange['op'],
      at: row.place,
      resource: row.resource as Resource,
      payload: JSON.parse((row.op === 'delete' ? row.delivered : row.desired) ?? '{}') as Payload,
      attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
      changed: JSON.parse(row.changed ?? '[]') as string[],
      delivered: row.delivered ? (JSON.parse(row.delivered) as Payload) : null,
      ...(row.cms_id === null ? {} : { adopts: row.cms_id }),
      ...(row.known_cms_id === null ? {} : { cmsId: row.known_cms_id }),
    }));
  }

  async function problems(run: string) {
    const rows = await db
      .selectFrom('staged_changes')
      .select(['key', 'error_code', 'error_reason'])
      .where('run', '=', run)
      .where('op', 'in', ['held', 'failed'])
      .orderBy('key')
      .execute();
    return rows.map((row) => ({ key: row.key, code: row.error_code ?? 'FF_BUG', reason: row.error_reason ?? '' }));
  }

  async function countByOp(run: string): Promise<Record<StagedRow['op'], number>> {
    const counts: Record<StagedRow['op'], number> = {
      ...{ create: 0, update: 0, held: 0, failed: 0, unchanged: 0, skipped: 0, rejected: 0 },
      ...{ delete: 0, mark: 0, restore: 0 },
    };
    const rows = await db
      .selectFrom('staged_changes')
      .select(({ fn }) => ['op', fn.countAll<number>().as('records')])
      .where('run', '=', run)
      .groupBy('op')
      .execute();
    for (const row of rows) counts[row.op] = Number(row.records);
    return counts;
  }

  async function countDelivered(sync: string): Promise<number> {
    const { records } = await db
      .selectFrom('records')
      .select(({ fn }) => fn.countAll<number>().as('records'))
      .where('sync', '=', sync)
      .where('cms_id', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(records);
  }

  async function discard(run: string): Promise<void> {
    await db
      .deleteFrom('staged_changes')
      .where('run', '=', run)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('runs')
              .select('id')
              .where('id', '=', run)
              .where('status', '=', 'held')
              .where('held_set', 'is not', null),
          ),
        ),
      )
      .execute();
  }
}
