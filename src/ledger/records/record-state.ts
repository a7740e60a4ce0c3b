import { type Selectable, sql } from 'kysely';
import { ignoredAttributes } from '../../core/attributes.ts';
import type { Payload, Resource } from '../../core/record.ts';
import { lastOutcome, outcomeOf } from '../attempts/deliveries.ts';
import { isInDoubt, isNotSent, isUndelivered } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn, itemIn } from '../database/item-state.ts';
import { distinct, pagesByKey, titleIn, wantedIn } from '../database/queries.ts';
import { hasError, reportedError } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents, RecordStatus } from '../database/schema.ts';
import { reportFiles } from '../database/undelivered-files.ts';
import { type KnownRecord, wantedFilesIn, withKnown } from './known-record.ts';

export type RecordState = ReturnType<typeof toState>;
export type Undelivered = Awaited<ReturnType<ReturnType<typeof createRecordStore>['undelivered']>>;

const UNDELIVERED = ['held', 'failed', 'pending'] as const satisfies RecordStatus[];

export function createRecordStore({ db, forRows, runtime }: LedgerDatabase) {
  return { state, content, titles, undelivered, failures, ownerOf, each };

  async function state(sync: string, key: string): Promise<RecordState | undefined> {
    const ofKey = db
      .selectFrom('record_contents as records')
      .selectAll()
      .where(({ and }) => and({ sync, key }));
    const [found] = await withKnown(await ofKey.select([isInDoubt.as('in_doubt'), lastOutcome.as('last')]).execute(), {
      db,
      runtime,
    });
    return found && toState(found.row, found.known);
  }

  /** The state of a record that the source wanted last, and the state that the CMS confirmed last. */
  async function content(sync: string, key: string) {
    const row = await db
      .selectFrom('record_contents as records')
      .select(['resource', 'place', 'desired', 'delivered', 'starts_on'])
      .select(['attachments', 'item', 'goal', 'undelivered_files', 'status'])
      .where(({ and }) => and({ sync, key }))
      .executeTakeFirst();
    return (
      row && {
        resource: row.resource,
        /** The record's place in the feed. */
        at: row.place,
        desired: wantedIn(row),
        delivered: deliveredIn(row),
        startsOn: row.starts_on,
        /** The values that the CMS made of delivered ones, for attributes that it shows differently. */
        madeByCms: itemIn(row.item).madeByCms,
        /** The files that the source wanted last, and whether the CMS has them. */
        files: wantedFilesIn(row),
      }
    );
  }

  /** The titles of records, by their keys; those without a title are absent. */
  async function titles(sync: string, keys: readonly string[]): Promise<Map<string, string>> {
    const wanted = distinct(keys).map((key) => ({ sync, key }));
    const rows = await forRows(db, wanted, (table) => {
      return sql<{ key: string; resource: Resource; desired: string } & DeliveredColumns>`
        select records.key, resource, desired, delivered, item from ${table} as wanted cross join record_contents as records
        where records.sync = wanted.sync and records.key = wanted.key
      `;
    });
    return new Map(rows.flatMap(({ key, ...row }) => Object.values(titleIn(row)).map((title) => [key, title])));
  }

  /**
   * The records that a run tried to change but did not, with keys that follow `after`. Records of a run that ended early are not
   * failures if nothing was sent for them.
   */
  async function failures(run: string, after: string, limit: number) {
    const rows = await db
      .selectFrom('record_contents as records')
      .select(['key', 'resource', 'desired', 'delivered', 'item', 'status', 'error'])
      .where('run', '=', run)
      .where('status', 'in', UNDELIVERED)
      .where(sql<boolean>`(error is not null and status <> 'delivered')`)
      .where(sql<boolean>`not (${hasError('FF_CMS_ABORTED')} and ${isNotSent})`)
      .where('key', '>', after)
      .orderBy('key')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      key: row.key,
      ...titleIn(row),
      status: row.status as (typeof UNDELIVERED)[number],
      ...reportedError(row.error),
    }));
  }

  /**
   * Counts the undelivered records of a sync, and lists the first of them, held ones first.
   * @param limit maximum number of listed records; absent: all
   */
  async function undelivered(sync: string, limit?: number) {
    const counts = await unsettled(sync)
      .select(({ fn }) => ['status', fn.countAll<number>().as('records')])
      .select(sql<number>`sum(case when ${isNotSent} then 1 else 0 end)`.as('unsent'))
      .groupBy('status')
      .execute();
    const count = (status: RecordStatus) => counts.find((row) => row.status === status)?.records ?? 0;
    const rows = await unsettled(sync)
      .select(['key', 'resource', 'desired', 'delivered', 'item', 'status', 'error'])
      .select(sql<number>`case when ${isNotSent} then 1 else 0 end`.as('unsent'))
      .where('status', 'in', UNDELIVERED)
      .orderBy(sql`case status when 'held' then 1 when 'failed' then 2 else 3 end`)
      .orderBy('key')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute();
    return {
      pending: count('pending'),
      /** Those of the pending records for which nothing was sent. */
      notSent: counts.find((row) => row.status === 'pending')?.unsent ?? 0,
      failed: count('failed'),
      held: count('held'),
      /** Deleted in the CMS and not created again: nothing remains to be done about these records. */
      deleted: count('deleted'),
      first: rows.map(({ key, status, error, unsent, ...row }) => ({
        key,
        ...titleIn(row),
        status,
        ...(unsent === 1 && { notSent: true }),
        ...(error !== null && reportedError(error)),
      })),
    };
  }

  /** Undelivered records. Those that are not retried count only if they may be in the CMS. */
  function unsettled(sync: string) {
    return db
      .selectFrom('record_contents as records')
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where(({ or, eb }) => or([eb('goal', '<>', 'leave'), isInDoubt]));
  }

  /** Reads all records of a sync in pages, in the order of the keys. */
  async function* each(sync: string): AsyncGenerator<{ key: string; payload: Payload; cmsId: number | null }> {
    const ofSync = db
      .selectFrom('record_contents as records')
      .select(['key', 'desired', 'cms_id'])
      .where('sync', '=', sync)
      .orderBy('key');
    const read = (after: string, limit: number) => ofSync.where('key', '>', after).limit(limit).execute();
    for await (const rows of pagesByKey(read)) {
      for (const { key, desired, cms_id } of rows) yield { key, payload: JSON.parse(desired), cmsId: cms_id };
    }
  }

  /** The record that owns a CMS item. */
  async function ownerOf(resource: Resource, cmsId: number): Promise<{ sync: string; key: string } | undefined> {
    const owners = db.selectFrom('record_contents as records').where(({ and }) => and({ resource, cms_id: cmsId }));
    return owners.select(['sync', 'key']).executeTakeFirst();
  }
}

type StateRow = Selectable<RecordContents> & { in_doubt: unknown } & Pick<Parameters<typeof outcomeOf>[0], 'last'>;

/** State of one record. Times are ISO instants. */
function toState(row: StateRow, known: KnownRecord) {
  const outcome = outcomeOf(row);
  const { madeByCms, attributesBeforeMark } = itemIn(row.item);
  const ignored = ignoredAttributes(deliveredIn(row), madeByCms);
  return {
    status: row.status,
    /** Outcome of the last delivery; absent until it is settled. */
    ...(outcome && { outcome }),
    /** The run that last wanted a change of the record. */
    run: row.run,
    ...(row.cms_id === null ? {} : { cmsId: row.cms_id }),
    ...(row.delivered_at === null ? {} : { deliveredAt: new Date(row.delivered_at).toISOString() }),
    /** How often the change has been tried. */
    attempts: row.attempts,
    /** When a pending record is tried again. */
    ...(row.status === 'pending' && row.retry_at !== null ? { retryAt: new Date(row.retry_at).toISOString() } : {}),
    /** Since when the source no longer has the record. */
    ...(row.missing_since === null ? {} : { missingSince: new Date(row.missing_since).toISOString() }),
    /** Whether the record's item is marked as missing. */
    marked: attributesBeforeMark !== null,
    /** Attributes that were delivered, and that the CMS ignored. */
    ...(ignored.length > 0 ? { ignored } : {}),
    /** A create may have been sent, and it is unknown whether the CMS applied it. */
    maybeSent: Boolean(row.in_doubt),
    ...(row.error !== null && { error: reportedError(row.error) }),
    /** The files that it was delivered without; absent: none. */
    ...(row.undelivered_files === null ? {} : { undeliveredFiles: reportFiles(row.undelivered_files) }),
    /** The delivered content, as a plan compares it. */
    known,
  };
}
