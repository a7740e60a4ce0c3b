import type { ErrorCode } from '../core/errors.ts';
import type { LedgerDatabase, RecordStatus, SettledOutcome } from './schema.ts';
import { type KnownRecord, toKnown } from './staging.ts';

/** Where one record stands. Times are ISO instants. */
export interface RecordState {
  status: RecordStatus;
  /** Of the last delivery; absent while it is under way. */
  outcome?: SettledOutcome;
  /** The run that last wanted a change of it. */
  run: string;
  cmsId?: number;
  deliveredAt?: string;
  /** How often the change has been tried. */
  attempts: number;
  /** When a pending record is tried again. */
  retryAt?: string;
  /** A create may have been sent of which nobody knows whether it was applied. */
  maybeSent: boolean;
  error?: { code: ErrorCode; reason: string };
  /** What was delivered, as a plan compares it. */
  known: KnownRecord;
}

/** The records of a sync that are not delivered: how many, and the first of them. */
export interface Undelivered {
  pending: number;
  failed: number;
  held: number;
  first: Array<{ key: string; status: Exclude<RecordStatus, 'delivered'>; code?: string; reason?: string }>;
}

export interface RecordStore {
  state(sync: string, key: string): Promise<RecordState | undefined>;
  /** @param limit how many of them to name */
  undelivered(sync: string, limit: number): Promise<Undelivered>;
}

export function createRecordStore({ db }: LedgerDatabase): RecordStore {
  return { state, undelivered };

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
      maybeSent: row.maybe_sent === 1,
      ...(row.error_code ? { error: { code: row.error_code as ErrorCode, reason: row.error_reason ?? '' } } : {}),
      known: toKnown(row),
    };
  }

  async function undelivered(sync: string, limit: number): Promise<Undelivered> {
    const counts = await db
      .selectFrom('records')
      .select(({ fn }) => ['status', fn.countAll<number>().as('records')])
      .where('sync', '=', sync)
      .where('status', '<>', 'delivered')
      .groupBy('status')
      .execute();
    const count = (status: RecordStatus) => Number(counts.find((row) => row.status === status)?.records ?? 0);
    const rows = await db
      .selectFrom('records')
      .select(['key', 'status', 'error_code', 'error_reason'])
      .where('sync', '=', sync)
      .where('status', '<>', 'delivered')
      .orderBy('status')
      .orderBy('key')
      .limit(limit)
      .execute();
    return {
      pending: count('pending'),
      failed: count('failed'),
      held: count('held'),
      first: rows.map(({ key, status, error_code, error_reason }) => ({
        key,
        status: status as Exclude<RecordStatus, 'delivered'>,
        ...(error_code ? { code: error_code, reason: error_reason ?? '' } : {}),
      })),
    };
  }
}

function toIso(ms: number): string {
  return new Date(Number(ms)).toISOString();
}
