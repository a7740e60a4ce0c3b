import { type Selectable, sql } from 'kysely';
import type { Payload, Resource } from '../core/record.ts';
import type { StagedAttachment } from './claims.ts';
import { doubtedWhenApplied, retryAtWhenApplied } from './doubt.ts';
import { type Editable, toEditable } from './editable.ts';
import { moveHistory } from './history.ts';
import type { LedgerDatabase, RecordsTable, StagedRow, StagedTable } from './schema.ts';

/** What the ledger knows of a record when a new reading of it is compared. */
export interface KnownRecord {
  payload: Payload | null;
  fingerprints: Record<string, string>;
  cmsId: number | null;
  editable: Editable;
}

/** One change of a plan, and what it would change. */
export interface StagedChange {
  key: string;
  op: 'create' | 'update';
  at: string;
  resource: Resource;
  payload: Payload;
  attachments: StagedAttachment[];
  changed: string[];
  /** What was delivered last; null: nothing yet. */
  delivered: Payload | null;
  /** Id of the item of the CMS that it is from now on. */
  adopts?: number;
}

/** A record that this run has met before. */
export type AlreadyStaged = Pick<Selectable<StagedTable>, 'key' | 'at' | 'op'>;

export interface StagingStore {
  known(sync: string, keys: readonly string[]): Promise<Map<string, KnownRecord>>;
  /** Which of the keys this run has staged already. */
  alreadyStaged(run: string, keys: readonly string[]): Promise<AlreadyStaged[]>;
  add(rows: readonly StagedRow[]): Promise<void>;
  /** Takes records out of the plan that turned out to share their key. */
  reject(run: string, keys: readonly string[]): Promise<void>;
  changes(run: string, sync: string): Promise<StagedChange[]>;
  /** Counts of the staged records by operation. */
  countByOp(run: string): Promise<Record<StagedRow['op'], number>>;
  /** Records that were delivered once and that this run has not seen in any form. */
  countMissing(run: string, sync: string): Promise<number>;
  countDelivered(sync: string): Promise<number>;
  /** Makes the plan the desired state, in one transaction, and answers the keys to deliver. */
  apply(run: string, sync: string): Promise<string[]>;
  discard(run: string): Promise<void>;
}

export function createStagingStore({ db }: LedgerDatabase): StagingStore {
  return {
    known,
    alreadyStaged,
    add,
    reject,
    changes,
    countByOp,
    countMissing,
    countDelivered,
    apply,
    discard,
  };

  async function known(sync: string, keys: readonly string[]): Promise<Map<string, KnownRecord>> {
    if (keys.length === 0) return new Map();
    const rows = await db
      .selectFrom('records')
      .select(['key', 'delivered', 'delivered_attachments', 'cms_id', 'editable'])
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .execute();
    return new Map(rows.map((row) => [row.key, toKnown(row)]));
  }

  async function alreadyStaged(run: string, keys: readonly string[]): Promise<AlreadyStaged[]> {
    if (keys.length === 0) return [];
    return db
      .selectFrom('staged')
      .select(['key', 'at', 'op'])
      .where('run', '=', run)
      .where('key', 'in', keys)
      .execute();
  }

  async function add(rows: readonly StagedRow[]): Promise<void> {
    if (rows.length > 0) await db.insertInto('staged').values(rows).execute();
  }

  async function reject(run: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await db
      .updateTable('staged')
      .set({ op: 'rejected', desired: null, attachments: null, hash: null, changed: null, password: null })
      .where('run', '=', run)
      .where('key', 'in', keys)
      .execute();
  }

  async function changes(run: string, sync: string): Promise<StagedChange[]> {
    const rows = await db
      .selectFrom('staged')
      .leftJoin('records', (join) =>
        join
          .on('records.sync', '=', sync)
          .on('records.key', '=', sql<string>`coalesce(staged.previous_key, staged.key)`),
      )
      .select(['staged.key', 'op', 'staged.at', 'staged.resource', 'staged.desired', 'changed'])
      .select(['staged.attachments', 'staged.cms_id'])
      .select(sql<string | null>`coalesce(staged.delivered, records.delivered)`.as('delivered'))
      .where('staged.run', '=', run)
      .where('op', 'in', ['create', 'update'])
      .orderBy('op')
      .orderBy('staged.key')
      .execute();
    return rows.map((row) => ({
      key: row.key,
      op: row.op as 'create' | 'update',
      at: row.at,
      resource: row.resource as Resource,
      payload: JSON.parse(row.desired ?? '{}') as Payload,
      attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
      changed: JSON.parse(row.changed ?? '[]') as string[],
      delivered: row.delivered ? (JSON.parse(row.delivered) as Payload) : null,
      ...(row.cms_id === null ? {} : { adopts: row.cms_id }),
    }));
  }

  async function countByOp(run: string): Promise<Record<StagedRow['op'], number>> {
    const counts = { create: 0, update: 0, held: 0, unchanged: 0, skipped: 0, rejected: 0 };
    const rows = await db
      .selectFrom('staged')
      .select(({ fn }) => ['op', fn.countAll<number>().as('records')])
      .where('run', '=', run)
      .groupBy('op')
      .execute();
    for (const row of rows) counts[row.op] = Number(row.records);
    return counts;
  }

  async function countMissing(run: string, sync: string): Promise<number> {
    const { records } = await db
      .selectFrom('records')
      .select(({ fn }) => fn.countAll<number>().as('records'))
      .where('sync', '=', sync)
      .where('cms_id', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('staged')
              .select('staged.key')
              .where('staged.run', '=', run)
              .whereRef('staged.key', '=', 'records.key'),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    return Number(records);
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

  async function apply(run: string, sync: string): Promise<string[]> {
    return db.transaction().execute(async (transaction) => {
      await sql`
        update records set key = (
          select staged.key from staged where staged.run = ${run} and staged.previous_key = records.key
        )
        where sync = ${sync} and key in (select previous_key from staged where run = ${run})
      `.execute(transaction);
      await moveHistory(transaction, run, sync);
      await sql`
        insert into records (
          sync, key, resource, at, status, outcome, run, desired, attachments, hash, starts_on, ends_on,
          cms_id, delivered, editable, password, error_code, error_reason
        )
        select ${sync}, key, resource, at,
          case when op = 'held' then 'held' else 'pending' end, case when op = 'held' then 'held' end,
          run, desired, attachments, hash, starts_on, ends_on,
          cms_id, delivered, editable, password, error_code, error_reason
        from staged where run = ${run} and op in ('create', 'update', 'held')
        on conflict (sync, key) do update set
          at = excluded.at, status = excluded.status, outcome = excluded.outcome, run = excluded.run,
          desired = excluded.desired, attachments = excluded.attachments, hash = excluded.hash,
          starts_on = excluded.starts_on, ends_on = excluded.ends_on,
          cms_id = coalesce(records.cms_id, excluded.cms_id),
          delivered = coalesce(records.delivered, excluded.delivered),
          editable = coalesce(records.editable, excluded.editable),
          password = case when records.cms_id is null then excluded.password end,
          doubted = ${doubtedWhenApplied},
          uploads = 0, attempts = 0, retry_at = ${retryAtWhenApplied},
          error_code = excluded.error_code, error_reason = excluded.error_reason
      `.execute(transaction);
      // A change that never got through and that the source has taken back: the CMS has what is wanted.
      await sql`
        update records set status = 'delivered', hash = coalesce(delivered_hash, hash), error_code = null, error_reason = null
        where sync = ${sync} and status <> 'delivered'
          and key in (select key from staged where run = ${run} and op = 'unchanged')
      `.execute(transaction);
      const rows = await transaction
        .selectFrom('records')
        .select('key')
        .where('run', '=', run)
        .where('status', '=', 'pending')
        .execute();
      return rows.map((row) => row.key);
    });
  }

  async function discard(run: string): Promise<void> {
    await db.deleteFrom('staged').where('run', '=', run).execute();
  }
}

/** What was delivered of a record, as the ledger keeps it. */
export function toKnown(
  row: Pick<Selectable<RecordsTable>, 'delivered' | 'delivered_attachments' | 'cms_id' | 'editable'>,
): KnownRecord {
  return {
    payload: row.delivered ? (JSON.parse(row.delivered) as Payload) : null,
    fingerprints: JSON.parse(row.delivered_attachments ?? '{}') as Record<string, string>,
    cmsId: row.cms_id,
    editable: toEditable(row.editable),
  };
}
