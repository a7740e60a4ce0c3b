import { sql, type Transaction } from 'kysely';
import { isPaused, isUndelivered, isWanted } from '../database/conditions.ts';
import { groupCommit } from '../database/group-commit.ts';
import { distinct } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { type ClaimedRow, claimedColumns, toClaimed } from './claimed-row.ts';
import { openCreates, toClaim, withdrawAttempts } from './opening.ts';
import { readOpenAttempts } from './read-attempts.ts';
import { createSettle } from './settle.ts';
import { claimed, exited, move, reconsidered, released, renewed } from './transitions.ts';

export function createClaimStore(database: LedgerDatabase) {
  const { db, now, readAtOnce, runtime } = database;
  const { settle, flushSettlements } = createSettle(database);
  const trustedSinceOf = watchClock();
  const confirmWithOthers = groupCommit(confirmAll, runtime, { gatherMs: 0, longest: 200 });
  const leftOfClaim = db
    .selectFrom('records')
    .select(sql<number>`claim_until - ${now}`.as('left'))
    .where(({ and }) => and({ id: 0, claim_token: '', run: '' }))
    .where(isWanted)
    .compile();
  return { claim, renew, confirm, settle, flushSettlements, release, outstanding, releaseExited };

  /**
   * Claims those of the records with these keys that are due and not claimed by others. The creates that may follow are in the
   * ledger, on the disk, before this returns.
   * @param run only records that this run wants to change, while it is under way
   */
  async function claim(sync: string, keys: readonly string[], leaseMs: number, run?: string): Promise<ClaimedRecord[]> {
    if (keys.length === 0) return [];
    const token = runtime.uuid();
    const begin = runtime.monotonic();
    const { rows, open } = await db.transaction().execute(async (transaction) => {
      const rows = await claimRows(transaction, { sync, keys, token, leaseMs, run });
      // Another statement, because in PostgreSQL the first one may have waited for a claim that it does not see.
      const open = await readOpenAttempts(rows, transaction);
      const created = rows.filter(({ action, cms_id }) => action === null && cms_id === null).map(({ id }) => id);
      if (created.length > 0) await openCreates(token, created, now).execute(transaction);
      return { rows, open };
    });
    const end = runtime.monotonic();
    const [first] = rows;
    if (!first) return [];
    const clock = { end, trustedSince: trustedSinceOf({ now: first.now, begin, end }) };
    return rows.map((row) => toClaimed(row, open.get(row.id) ?? [], { ...clock, claim: token }));
  }

  async function claimRows(
    transaction: Transaction<LedgerTables>,
    of: { sync: string; keys: readonly string[]; token: string; leaseMs: number; run?: string },
  ): Promise<ClaimedRow[]> {
    const { sync, keys, token, leaseMs, run } = of;
    const isOfRun = run === undefined ? sql`1 = 1` : sql`run = ${run} and ${isWanted}`;
    const isFree = sql`(claim_until is null or claim_until < ${now})`;
    const columns = sql.join(claimedColumns.map((column) => sql.ref(column)));
    const { rows } = await move<ClaimedRow>(claimed(now, { token, holder: runtime.process, leaseMs }), {
      where: sql`sync = ${sync} and ${isOneOf('key', keys)} and status = 'pending' and ${isFree} and not ${isPaused(now)}
        and ${isOfRun}`,
      returning: sql`${columns}, ${now} as now`,
    }).execute(transaction);
    return rows;
  }

  /** Extends the lease of claimed records. Returns the keys of the records that are still ours: only these have a lease. */
  async function renew(records: readonly ClaimedRecord[], leaseMs: number): Promise<Set<string>> {
    if (records.length === 0) return new Set();
    const { rows } = await move<{ key: string }>(renewed(now, leaseMs), {
      where: ours(records),
      returning: sql`key`,
    }).execute(db);
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * How long a record is still ours, in ms; 0: it is no longer ours, or its run no longer wants what was claimed, because it has
   * ended or a newer plan has changed the record.
   */
  async function confirm(record: ClaimedRecord): Promise<number> {
    const { id, claim, run } = record;
    const rows = readAtOnce?.<{ left: number }>({ ...leftOfClaim, parameters: [id, claim, run] });
    return rows ? Math.max(0, rows[0]?.left ?? 0) : confirmWithOthers(record);
  }

  /** Confirms records in one query if they are asked about at the same time. */
  async function confirmAll(records: readonly ClaimedRecord[]): Promise<number[]> {
    const rows = await db
      .selectFrom('records')
      .select(['id', 'run', 'claim_token', sql<number>`claim_until - ${now}`.as('left')])
      .where('id', 'in', distinct(records.map(({ id }) => id)))
      .where(isWanted)
      .execute();
    const left = new Map(rows.map((row) => [`${row.claim_token} ${row.run} ${row.id}`, row.left]));
    return records.map(({ claim, run, id }) => Math.max(0, left.get(`${claim} ${run} ${id}`) ?? 0));
  }

  /** Releases records for which nothing was sent. */
  async function release(records: readonly ClaimedRecord[]): Promise<void> {
    if (records.length === 0) return;
    await db.transaction().execute(async (transaction) => {
      await withdrawAttempts(transaction, records.map(toClaim), database);
      await move(released, { where: ours(records) }).execute(transaction);
      // Also of records that are no longer ours.
      await move(reconsidered, { where: sql`${isOneOf('records.id', idsOf(records))}` }).execute(transaction);
    });
  }

  /** Of records: they are claimed as these are, which belong to one claim. */
  function ours(records: readonly ClaimedRecord[]) {
    return sql`${isOneOf('records.id', idsOf(records))} and claim_token = ${records[0]?.claim} and claim_until >= ${now}`;
  }

  function idsOf(records: readonly ClaimedRecord[]) {
    return records.map(({ id }) => id);
  }

  /** How many records with these keys are still to be delivered, and in how many ms the first of them is due. */
  async function outstanding(sync: string, keys: readonly string[]): Promise<{ pending: number; dueInMs: number }> {
    if (keys.length === 0) return { pending: 0, dueInMs: 0 };
    const rows = await db
      .selectFrom('records')
      .select(['claim_until', now.as('now')])
      .select(sql<number | null>`case when ${isPaused(now)} then retry_at end`.as('retry_at'))
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .where('status', '=', 'pending')
      .execute();
    const waits = rows.map((row) => Math.max(row.retry_at ?? 0, row.claim_until ?? 0) - row.now);
    return { pending: rows.length, dueInMs: waits.length === 0 ? 0 : Math.max(0, Math.min(...waits)) };
  }

  /**
   * Releases the claims of exited processes of this machine. Their requests may still be under way, so the records are not
   * claimed for `quietMs`, even if a new plan changes them, and their creates stay unconfirmed.
   */
  async function releaseExited(sync: string, quietMs: number): Promise<void> {
    const holders = await db
      .selectFrom('records')
      .select('claim_holder')
      .distinct()
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('claim_until', '>=', now)
      .execute();
    const gone = holders.flatMap(({ claim_holder }) =>
      claim_holder !== null && runtime.isGone(claim_holder) ? claim_holder : [],
    );
    if (gone.length === 0) return;
    await move(exited(now, quietMs), {
      where: sql`sync = ${sync} and ${isUndelivered} and ${isOneOf('claim_holder', gone)}`,
    }).execute(db);
  }
}

/** Clocks drift, and are corrected by small steps. */
const DRIFT_MS = 1_000;

/** A reading of the ledger's clock: ms since 1970, read between two moments of this process, by its monotonic clock. */
interface ClockReading {
  now: number;
  begin: number;
  end: number;
}

/**
 * Watches whether the ledger's clock is set forward, by the time that each reading shows. A clock that is set forward ends
 * leases and pauses too early.
 * @returns a function that takes a reading and returns the moment of this process since which times of the ledger can be
 * trusted: the moment of the first reading, or of the first one after the clock was set
 */
export function watchClock(): (reading: ClockReading) => number {
  let before: ClockReading | undefined;
  let trustedSince = 0;
  return (reading) => {
    const elapsedMs = before ? reading.end - before.begin : 0;
    if (!before || reading.now - before.now > elapsedMs + DRIFT_MS) trustedSince = reading.end;
    before = reading;
    return trustedSince;
  };
}
