import { type Selectable, sql } from 'kysely';
import { ignoredAttributes } from '../../core/ignored-attributes.ts';
import type { Payload, RecordStatus, Resource } from '../../core/record.ts';
import { lastOutcome, outcomeOf } from '../attempts/deliveries.ts';
import { isInDoubt, isNotSent, isNotThrough, isUndelivered } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn, itemIn } from '../database/item-state.ts';
import { distinct, pagesByKey, type TitleColumns, titleIn, wantedIn } from '../database/queries.ts';
import { hasError, reportedError } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all, one } from '../database/statements.ts';
import { reportFiles } from '../database/undelivered-files.ts';
import { type KnownRecord, wantedFilesIn, withKnown } from './known-record.ts';

export type RecordState = ReturnType<typeof toState>;
export type Undelivered = Awaited<ReturnType<ReturnType<typeof createRecordStore>['undelivered']>>;

export function createRecordStore({ db, forRows, runtime }: LedgerDatabase) {
  return { state, content, titles, undelivered, failures, each };

  async function state(sync: string, key: string): Promise<RecordState | undefined> {
    const rows = await all<StateRow>(db)`
      select records.*, ${isInDoubt} as in_doubt, ${lastOutcome} as last from record_contents as records
      where sync = ${sync} and key = ${key}
    `;
    const [found] = await withKnown(rows, { db, runtime });
    return found && toState(found.row, found.known);
  }

  /** The state of a record that the source wanted last, and the state that the CMS confirmed last. */
  async function content(sync: string, key: string) {
    const row = await one<RecordContents>(db)`select * from record_contents where sync = ${sync} and key = ${key}`;
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
    const rows = await all<UndeliveredRow>(db)`
      select key, resource, desired, delivered, item, status, error from record_contents as records
      where run = ${run} and ${isNotThrough} and error is not null
        and not (${hasError('FF_CMS_ABORTED')} and ${isNotSent}) and key > ${after}
      order by key limit ${limit}
    `;
    return rows.map((row) => ({
      key: row.key,
      ...titleIn(row),
      status: row.status,
      ...reportedError(row.error),
    }));
  }

  /**
   * Counts the undelivered records of a sync, and lists the first of them, held ones first.
   * @param limit maximum number of listed records; absent: all
   */
  async function undelivered(sync: string, limit?: number) {
    // Those that are not retried count only if they may be in the CMS.
    const isUnsettled = sql`sync = ${sync} and ${isUndelivered} and (goal <> 'leave' or ${isInDoubt})`;
    const counts = await all<{ status: RecordStatus; records: number; unsent: number }>(db)`
      select status, count(*) as records, count(case when ${isNotSent} then 1 end) as unsent
      from records where ${isUnsettled} group by status
    `;
    const count = (status: RecordStatus) => counts.find((row) => row.status === status)?.records ?? 0;
    const rows = await all<UndeliveredRow & { unsent: number }>(db)`
      select key, resource, desired, delivered, item, status, error, case when ${isNotSent} then 1 else 0 end as unsent
      from record_contents as records where ${isUnsettled} and ${isNotThrough}
      order by case status when 'held' then 1 when 'failed' then 2 else 3 end, key
      ${limit === undefined ? sql`` : sql`limit ${limit}`}
    `;
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

  /** Reads all records of a sync in pages, in the order of the keys. */
  async function* each(sync: string): AsyncGenerator<{ key: string; payload: Payload; cmsId: number | null }> {
    const read = (after: string, limit: number) => all<Pick<RecordContents, 'key' | 'desired' | 'cms_id'>>(db)`
      select key, desired, cms_id from record_contents where sync = ${sync} and key > ${after} order by key limit ${limit}
    `;
    for await (const rows of pagesByKey(read)) {
      for (const { key, desired, cms_id } of rows) yield { key, payload: JSON.parse(desired), cmsId: cms_id };
    }
  }
}

type UndeliveredRow = TitleColumns & Pick<RecordContents, 'key' | 'error'> & { status: 'held' | 'failed' | 'pending' };
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
