import { type Kysely, sql } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { FeedValidators } from '../../core/source-reading.ts';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase, LedgerTables, ReadingsTable } from '../database/schema.ts';
import { all, change, only } from '../database/statements.ts';
import { REMEMBERED_MS, validatorsOf } from '../runs/last-reading.ts';

/** So many complete readings of a source are remembered. */
const REMEMBERED = 1_000;

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
  /** Number of the last complete reading; 0: there was none. */
  wholeNo: number;
  /** Its receipt, if it was in the last seven days. */
  whole?: FeedReceipt;
  error?: { code: ErrorCode; message: string };
}

/** A complete reading of a source. */
export interface WholeReading {
  number: number;
  /** ms since 1970 */
  at: number;
}

/** A reading that has ended. */
export interface EndedReading
  extends Pick<ReadingState, 'run' | 'fingerprint' | 'receipt' | 'records' | 'rejected' | 'warnings' | 'error'> {
  /** Its number. */
  readNo: number;
  /** Whether it proves which records the source does not have. */
  isWhole: boolean;
}

/** The last readings of the sources of syncs that have several. */
export function createReadingStore({ db, runtime }: LedgerDatabase, keptAs: KeptAs) {
  return { readings, beginReading, noteReading };

  /** The last readings of all sources of a sync, by their names. */
  async function readings(sync: string): Promise<Map<string, ReadingState>> {
    const rows = await all<ReadingsTable>(db)`select * from readings where sync = ${keptAs(sync)} and run <> ''`;
    return new Map(rows.map((row) => [row.source, toState(row, runtime.now())]));
  }

  /** Returns the number of a reading that begins: those of a suspended run and of its successor may overlap, and some prove nothing. */
  async function beginReading(sync: string, source: string): Promise<number> {
    const { begun_no } = await only<Pick<ReadingsTable, 'begun_no'>>(db)`
      insert into readings (
        sync, source, run, read_at, fingerprint, receipt, records, rejected, warnings, begun_no, wholes
      ) values (${keptAs(sync)}, ${source}, '', 0, '', '{}', 0, 0, 0, 1, '[]')
      on conflict (sync, source) do update set begun_no = readings.begun_no + 1
      returning begun_no
    `;
    return begun_no;
  }

  /**
   * Notes a reading. If it is incomplete, or a later one was complete in the meantime, as that of a successor may be, the next run reads
   * the source again.
   */
  async function noteReading(sync: string, source: string, reading: EndedReading): Promise<void> {
    const { run, fingerprint, records, rejected, warnings, error, readNo, isWhole } = reading;
    const before = (await readings(sync)).get(source);
    const isOfSource = sql`sync = ${keptAs(sync)} and source = ${source}`;
    if (before && before.wholeNo > readNo) {
      await change(db)`update readings set fingerprint = '' where ${isOfSource}`;
      return;
    }
    const receipt = JSON.stringify(reading.receipt);
    const now = runtime.now();
    await change(db)`
      update readings set
        run = ${run}, read_at = ${now}, fingerprint = ${isWhole ? fingerprint : ''}, receipt = ${receipt}, records = ${records},
        rejected = ${rejected}, warnings = ${warnings},
        error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null}
      where ${isOfSource}
    `;
    if (!isWhole) return;
    const earlier = (await wholeReadings(keptAs(sync), db)).get(source) ?? [];
    const wholes = JSON.stringify([{ number: readNo, at: now }, ...earlier].slice(0, REMEMBERED));
    await change(db)`
      update readings set whole_no = ${readNo}, whole_receipt = ${receipt}, wholes = ${wholes} where ${isOfSource}
    `;
  }
}

/** The last complete readings of the sources of a sync, the newest first. */
export async function wholeReadings(sync: string, db: Kysely<LedgerTables>): Promise<Map<string, WholeReading[]>> {
  const rows = await all<Pick<ReadingsTable, 'source' | 'wholes'>>(db)`
    select source, wholes from readings where sync = ${sync}
  `;
  return new Map(rows.map(({ source, wholes }) => [source, JSON.parse(wholes) as WholeReading[]]));
}

function toState(row: ReadingsTable, now: number): ReadingState {
  const receipt = JSON.parse(row.receipt) as FeedReceipt;
  const validators = validatorsOf(receipt);
  const [lastWhole] = JSON.parse(row.wholes) as WholeReading[];
  const isRecent = lastWhole !== undefined && lastWhole.at > now - REMEMBERED_MS;
  return {
    run: row.run,
    readAt: new Date(row.read_at).toISOString(),
    fingerprint: row.fingerprint,
    receipt,
    ...(validators && { validators }),
    records: row.records,
    rejected: row.rejected,
    warnings: row.warnings,
    wholeNo: row.whole_no,
    ...(row.whole_receipt === null || !isRecent ? {} : { whole: JSON.parse(row.whole_receipt) as FeedReceipt }),
    ...(row.error_code === null ? {} : { error: { code: row.error_code, message: row.error_message ?? '' } }),
  };
}
