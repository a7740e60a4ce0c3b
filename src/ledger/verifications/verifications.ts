import { type RawBuilder, sql } from 'kysely';
import type { Json } from '../../core/record.ts';
import type { DifferencesTable, LedgerDatabase, VerificationsTable } from '../database/schema.ts';
import { all, change, one, only } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { openDifferences, sinceFound } from './open-differences.ts';

/** Number of differences that are kept of a verification. */
const MOST = 10_000;

/** A difference between a record and its item, as a verification reports it. */
export interface FoundDifference {
  key: string;
  cmsId: number | null;
  cause: string;
  attributes: string[];
}

/** What a verification has found, and what it has proven. */
export interface VerificationEnd<Found extends FoundDifference> {
  sync: string;
  /** Whether the result is certain. Otherwise, the differences that were found before are kept. */
  isCertain: boolean;
  differences: readonly Found[];
  summary: string;
  /** What it has proven, as JSON. */
  result: Json;
}

/** A stored difference, and the details of its kind. */
export interface StoredDifference extends FoundDifference {
  sync: string;
  detail: { [name: string]: Json };
  /** Its place among the differences of the sync. */
  seq: number;
  /** When the verification began that has found it, as an ISO instant. */
  foundAt: string;
  /** What is known of it today (see `sinceFound`). */
  since: 'open' | 'repaired' | 'undelivered';
}

/** Results of the verifications. */
export function createVerificationStore({ db, now, forRows, runtime }: LedgerDatabase) {
  return {
    beginVerification,
    finishVerification,
    failVerification,
    verified,
    drifts,
    lastVerification,
    differencePage,
    differencesOf,
  };

  /**
   * Records that a sync is being verified. Returns the beginning, in ms since 1970 by the ledger's clock.
   * @param askedBy the person who asked for it; absent: a schedule did
   */
  async function beginVerification(sync: string, askedBy?: string): Promise<number> {
    const { began_at } = await only<Pick<VerificationsTable, 'began_at'>>(db)`
      insert into verifications (sync, id, began_at, asked_by)
      values (${sync}, ${runtime.uuid()}, ${now}, ${askedBy ?? null})
      on conflict (sync) do update set began_at = excluded.began_at, asked_by = excluded.asked_by
      returning began_at
    `;
    return began_at;
  }

  /** Stores a result: what was proven and, if it is certain, all differences and a summary of them. */
  async function finishVerification<Found extends FoundDifference>(end: VerificationEnd<Found>): Promise<void> {
    const { sync, isCertain, differences, summary, result } = end;
    await db.transaction().execute(async (transaction) => {
      await change(transaction)`
        update verifications set ended_at = ${now}, result = ${JSON.stringify(result)} where sync = ${sync}
      `;
      if (!isCertain) return;
      await change(transaction)`
        update verifications set id = ${runtime.uuid()}, drift = ${differences.length}, summary = ${summary},
          found_at = began_at
        where sync = ${sync}
      `;
      await change(transaction)`delete from differences where sync = ${sync}`;
      const rows = differences.slice(0, MOST).map((each, seq) => ({ sync, seq, ...toColumns(each) }));
      // A record that was forgotten meanwhile has none.
      const insert = (table: RawBuilder<unknown>) => sql`
        insert into differences (sync, seq, record, cause, cms_id, attributes, detail)
        select found.sync, found.seq, records.id, found.cause, found.cms_id, found.attributes, found.detail
        from ${table} as found cross join records where records.sync = found.sync and records.key = found.key`;
      await forRows(transaction, rows, insert, ['seq', 'cms_id']);
    });
  }

  /** Makes the next verification of a sync due sooner: as if the last one had begun so long ago. */
  async function failVerification(sync: string, agoMs: number): Promise<void> {
    await change(db)`update verifications set began_at = ${now} - ${agoMs} where sync = ${sync}`;
  }

  /** The open differences of the syncs that have some. */
  function drifts() {
    return openDifferences({ db });
  }

  /** The last verification of a sync; undefined: the sync was never verified. Times are ISO instants. */
  async function lastVerification(sync: string) {
    const row = await one<VerificationsTable>(db)`select * from verifications where sync = ${sync}`;
    if (!row) return undefined;
    const [open] = await openDifferences({ db }, sync);
    const time = (at: number | null) => (at === null ? undefined : new Date(at).toISOString());
    return {
      beganAt: new Date(row.began_at).toISOString(),
      /** End of the last verification that has ended; before `beganAt` while another one is in progress. */
      endedAt: time(row.ended_at),
      /** When the verification began that has found the stored differences. */
      foundAt: time(row.found_at),
      askedBy: row.asked_by ?? undefined,
      differences: row.drift ?? 0,
      /** Those of the differences that still ask for attention. */
      open: open?.differences ?? 0,
      result: row.result === null ? undefined : (JSON.parse(row.result) as Json),
    };
  }

  /** The next differences of a sync, in the order of their keys. */
  async function differencePage(sync: string, after: number, limit: number): Promise<StoredDifference[]> {
    return stored(sync, sql`seq > ${after}`, limit);
  }

  /** The differences of some records of a sync that were not delivered since. */
  async function differencesOf(sync: string, keys: readonly string[]): Promise<StoredDifference[]> {
    return stored(sync, sql`${isOneOf('records.key', keys)} and ${sinceFound} <> 'repaired'`, MOST);
  }

  async function stored(sync: string, condition: RawBuilder<unknown>, limit: number): Promise<StoredDifference[]> {
    const rows = await all<StoredRow>(db)`
      select differences.*, found_at, records.key, ${sinceFound} as since
      from differences
        join verifications on verifications.sync = differences.sync
        join records on records.id = differences.record
      where differences.sync = ${sync} and ${condition}
      order by seq limit ${limit}
    `;
    return rows.map(toDifference);
  }

  /**
   * How long ago the last verification of each sync began, in ms by the ledger's clock, and when the last one with a certain result did, as
   * an ISO instant; syncs that were never verified are absent.
   */
  async function verified(): Promise<Map<string, { agoMs: number; certainAt?: string }>> {
    const rows = await all<{ sync: string; ago: number; found_at: number | null }>(db)`
      select sync, ${now} - began_at as ago, found_at from verifications
    `;
    return new Map(
      rows.map(({ sync, ago, found_at: at }) => [
        sync,
        { agoMs: Math.max(0, ago), ...(at !== null && { certainAt: new Date(at).toISOString() }) },
      ]),
    );
  }
}

function toColumns({ key, cmsId, cause, attributes, ...detail }: FoundDifference) {
  return { key, cause, cms_id: cmsId, attributes: JSON.stringify(attributes), detail: JSON.stringify(detail) };
}

type StoredRow = DifferencesTable & Pick<VerificationsTable, 'found_at'> & Pick<StoredDifference, 'key' | 'since'>;

function toDifference(row: StoredRow): StoredDifference {
  return {
    sync: row.sync,
    seq: row.seq,
    key: row.key,
    cmsId: row.cms_id,
    cause: row.cause,
    attributes: JSON.parse(row.attributes),
    detail: JSON.parse(row.detail),
    since: row.since,
    foundAt: new Date(row.found_at ?? 0).toISOString(),
  };
}
