import type { Kysely, Selectable } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { FeedValidators } from '../../core/source-reading.ts';
import type { LedgerDatabase, LedgerTables, ReadingsTable } from '../database/schema.ts';
import { validatorsOf } from '../runs/last-reading.ts';

/** So many times of complete readings are remembered. */
const REMEMBERED = 100;

/** What is known of the last readings of a source. */
export interface ReadingState {
  /** The run that has last read it. */
  run: string;
  /** ISO instant. */
  readAt: string;
  fingerprint: string;
  receipt: FeedReceipt;
  /** What shows whether the source has changed since; absent: it has to be read again. */
  validators?: FeedValidators;
  records: number;
  rejected: number;
  warnings: number;
  /** How many complete readings there were. */
  wholeCount: number;
  /** When the last of them were, newest first, in ms since 1970. */
  wholeTimes: number[];
  /** Receipt of the last of them. */
  whole?: FeedReceipt;
  error?: { code: ErrorCode; message: string };
}

/** A reading that has ended. */
export interface EndedReading
  extends Pick<ReadingState, 'run' | 'fingerprint' | 'receipt' | 'records' | 'rejected' | 'warnings' | 'error'> {
  /** Its number, if it is a complete one. */
  readNo: number;
  /** Whether it proves which records the source does not have. */
  isWhole: boolean;
}

/** The last readings of the sources of syncs that have several. */
export function createReadingStore({ db, runtime }: LedgerDatabase) {
  return { readings, noteReading };

  /** The last readings of all sources of a sync, by their names. */
  async function readings(sync: string): Promise<Map<string, ReadingState>> {
    const rows = await db.selectFrom('readings').selectAll().where('sync', '=', sync).execute();
    return new Map(rows.map((row) => [row.source, toState(row)]));
  }

  /** Notes a reading. If another one was complete in the meantime, as that of a plan may be, the next run reads the source again. */
  async function noteReading(sync: string, source: string, reading: EndedReading): Promise<void> {
    const { run, fingerprint, records, rejected, warnings, error, readNo, isWhole } = reading;
    const before = (await readings(sync)).get(source);
    if (before && before.wholeCount >= readNo) {
      const ofSource = db.updateTable('readings').where('sync', '=', sync).where('source', '=', source);
      await ofSource.set({ fingerprint: '' }).execute();
      return;
    }
    const now = runtime.now();
    const receipt = JSON.stringify(reading.receipt);
    const whole = before?.whole && JSON.stringify(before.whole);
    const times = before?.wholeTimes ?? [];
    const columns = {
      ...{ run, read_at: now, fingerprint, receipt, records, rejected, warnings },
      whole_count: isWhole ? readNo : (before?.wholeCount ?? 0),
      whole_receipt: isWhole ? receipt : (whole ?? null),
      whole_times: JSON.stringify(isWhole ? [now, ...times].slice(0, REMEMBERED) : times),
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
    };
    await db
      .insertInto('readings')
      .values({ sync, source, ...columns })
      .onConflict((conflict) => conflict.columns(['sync', 'source']).doUpdateSet(columns))
      .execute();
  }
}

/** How many complete readings the sources of a sync have had, and when. */
export async function sourceTimes(sync: string, db: Kysely<LedgerTables>) {
  const rows = await db
    .selectFrom('readings')
    .select(['source', 'whole_count', 'whole_times'])
    .where('sync', '=', sync)
    .execute();
  return new Map(
    rows.map((row) => [
      row.source,
      { wholeCount: row.whole_count, wholeTimes: JSON.parse(row.whole_times) as number[] },
    ]),
  );
}

function toState(row: Selectable<ReadingsTable>): ReadingState {
  const receipt = JSON.parse(row.receipt) as FeedReceipt;
  const validators = validatorsOf(receipt);
  return {
    run: row.run,
    readAt: new Date(Number(row.read_at)).toISOString(),
    fingerprint: row.fingerprint,
    receipt,
    ...(validators && { validators }),
    records: row.records,
    rejected: row.rejected,
    warnings: row.warnings,
    wholeCount: row.whole_count,
    wholeTimes: JSON.parse(row.whole_times) as number[],
    ...(row.whole_receipt === null ? {} : { whole: JSON.parse(row.whole_receipt) as FeedReceipt }),
    ...(row.error_code === null ? {} : { error: { code: row.error_code, message: row.error_message ?? '' } }),
  };
}
