import { sql } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import type { Resource } from '../../core/record.ts';
import { isInDoubt, isUndelivered } from '../database/conditions.ts';
import type { LedgerDatabase, RecordStatus, SettledOutcome } from '../database/schema.ts';
import { type KnownRecord, toKnown } from './known-record.ts';

/** State of one record. Times are ISO instants. */
export interface RecordState {
  status: RecordStatus;
  /** Of the last delivery; absent until it is settled. */
  outcome?: SettledOutcome;
  /** The run that last wanted a change of it. */
  run: string;
  cmsId?: number;
  deliveredAt?: string;
  /** How often the change has been tried. */
  attempts: number;
  /** When a pending record is tried again. */
  retryAt?: string;
  /** Since when the source does not have it. */
  missingSince?: string;
  /** Its item is marked as missing. */
  marked: boolean;
  /** A create may have been sent, and it is unknown whether the CMS applied it. */
  maybeSent: boolean;
  error?: { code: ErrorCode; reason: string };
  /** What was delivered, as a plan compares it. */
  known: KnownRecord;
}

/** Undelivered records of a sync: how many, and the first of them, held ones before the others. */
export interface Undelivered {
  pending: number;
  failed: number;
  held: number;
  /** Deleted in the CMS and not created again: nothing is to be done about them. */
  deleted: number;
  first: Array<{ key: string; status: UndeliveredStatus; code?: string; reason?: string }>;
}

const UNDELIVERED = ['held', 'failed', 'pending'] as const satisfies RecordStatus[];
type UndeliveredStatus = (typeof UNDELIVERED)[number];

export function createRecordStore({ db }: LedgerDatabase) {
  return { state, undelivered, ownerOf };

  async function state(sync: string, key: string): Promise<RecordState | undefined> {
    const row = await db
      .selectFrom('records')
      .selectAll()
      .where('sync', '=', sync)
      .where('key', '=', key)
      .executeTakeFirst();
    if (!row) return undefined;
    return {
      status: row.status,
      ...(row.outcome ? { outcome: row.outcome } : {}),
      run: row.run,
      ...(row.cms_id === null ? {} : { cmsId: row.cms_id }),
      ...(row.delivered_at === null ? {} : { deliveredAt: toIso(row.delivered_at) }),
      attempts: row.attempts,
      ...(row.status === 'pending' && row.retry_at !== null ? { retryAt: toIso(row.retry_at) } : {}),
      ...(row.missing_since === null ? {} : { missingSince: toIso(row.missing_since) }),
      marked: row.attributes_before_mark !== null,
      maybeSent: row.create_unconfirmed === 1 && row.status !== 'failed',
      ...(row.error_code ? { error: { code: row.error_code as ErrorCode, reason: row.error_reason ?? '' } } : {}),
      known: toKnown(row),
    };
  }

  /** @param limit how many of them to list; absent: all */
  async function undelivered(sync: string, limit?: number): Promise<Undelivered> {
    const counts = await unsettled(sync)
      .select(({ fn }) => ['status', fn.countAll<number>().as('records')])
      .groupBy('status')
      .execute();
    const count = (status: RecordStatus) => Number(counts.find((row) => row.status === status)?.records ?? 0);
    const rows = await unsettled(sync)
      .select(['key', 'status', 'error_code', 'error_reason'])
      .where('status', 'in', UNDELIVERED)
      .orderBy(sql`case status when 'held' then 1 when 'failed' then 2 else 3 end`)
      .orderBy('key')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute();
    return {
      pending: count('pending'),
      failed: count('failed'),
      held: count('held'),
      deleted: count('deleted'),
      first: rows.map(({ key, status, error_code, error_reason }) => ({
        key,
        status: status as UndeliveredStatus,
        ...(error_code ? { code: error_code, reason: error_reason ?? '' } : {}),
      })),
    };
  }

  /** Records that are not retried count only if they may be in the CMS. */
  function unsettled(sync: string) {
    return db
      .selectFrom('records')
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where(({ or, eb }) => or([eb('not_retried', '=', 0), isInDoubt]));
  }

  /** The record that owns a CMS item. */
  async function ownerOf(resource: Resource, cmsId: number): Promise<{ sync: string; key: string } | undefined> {
    return db
      .selectFrom('records')
      .select(['sync', 'key'])
      .where('resource', '=', resource)
      .where('cms_id', '=', cmsId)
      .executeTakeFirst();
  }
}

function toIso(ms: number): string {
  return new Date(Number(ms)).toISOString();
}
