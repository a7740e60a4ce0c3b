import { type RawBuilder, sql, type Transaction } from 'kysely';
import { hasOpenAttempt, isInClaim, isOpenClaim, isPaused, isWanted } from '../database/conditions.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { type ClaimedRow, claimedColumns, toClaimed } from './claimed-row.ts';
import { endClaims, leaveClaim, listOf, noteCreates, readClaims } from './open-claims.ts';
import { readOpenAttempts, toClaim, withdrawAttempts } from './opening.ts';
import { createSettle } from './settle.ts';
import { exited, move, reconsidered } from './transitions.ts';

export function createClaimStore(database: LedgerDatabase) {
  const { db, now, lockCreates, lockRows, readAtOnce, runtime } = database;
  const { settle, endClaim, flushSettlements } = createSettle(database);
  const trustedSinceOf = watchClock();
  const leftOfClaim = sql<{ rest: number }>`
    select until - ${now} as rest from claims where token = ${''} and ${isWanted('claims')}
  `.compile(db);
  return { claim, renew, confirm, settle, endClaim, flushSettlements, release, outstanding, releaseExited };

  /**
   * Claims those of the records with these keys that are due and not claimed by others: one row, which is on the disk before this
   * returns. From now on, each of their creates may have been sent.
   * @param run only records that this run wants to change, while it is under way
   */
  async function claim(sync: string, keys: readonly string[], leaseMs: number, run?: string): Promise<ClaimedRecord[]> {
    if (keys.length === 0) return [];
    const token = runtime.uuid();
    const begin = runtime.monotonic();
    // `coalesce`: with the index of the runs, all records of the run would be read.
    const isOfRun = run === undefined ? sql`1 = 1` : sql`${run} = coalesce(run, '') and ${isWanted('records')}`;
    const isDue = sql`sync = ${sync} and ${isOneOf('key', keys)} and status = 'pending' and not ${isPaused(now)} and ${isOfRun}`;
    const { rows, open } = await db.transaction().execute(async (transaction) => {
      const rows = await freeRows(transaction, sync, isDue);
      const [first] = rows;
      if (first) {
        const creates = rows.filter(({ goal, cms_id }) => goal === 'have' && cms_id === null);
        const [holds, created] = [rows, creates].map((some) => listOf(some.map(({ id }) => id)));
        await change(transaction)`
          insert into claims (token, sync, run, holder, until, holds, creates)
          values (
            ${token}, ${sync}, ${run ?? first.run}, ${runtime.process}, ${now} + ${leaseMs}, ${holds}, ${created}
          )
        `;
      }
      const inDoubt = rows.filter(({ has_open }) => has_open);
      return { rows, open: await readOpenAttempts(inDoubt, transaction) };
    });
    const end = runtime.monotonic();
    const [first] = rows;
    if (!first) return [];
    const clock = { end, trustedSince: trustedSinceOf({ now: first.now, begin, end }) };
    return rows.map((row) => toClaimed(row, open.get(row.id) ?? [], { ...clock, claim: token }));
  }

  /** Reads the records that meet a condition and that no other claim has. Replays the claims that have lapsed with one of them. */
  async function freeRows(
    transaction: Transaction<LedgerTables>,
    sync: string,
    isDue: RawBuilder<unknown>,
  ): Promise<DueRow[]> {
    // Where several may write at a time, another claim may be under way: the next statement sees it.
    if (lockCreates) await sql`select id from records where ${isDue} order by id ${lockRows}`.execute(transaction);
    const due = sql<DueRow>`
      select ${sql.join(claimedColumns.map((column) => sql.ref(column)))}, ${now} as now, ended_claim, ${hasOpenAttempt()} as has_open,
        (select max(token) from claims where ${isInClaim}) as holder
      from record_contents as records where ${isDue}
    `;
    const { rows } = await due.execute(transaction);
    if (rows.every(({ holder }) => holder === null)) return rows;
    const claims = await readClaims(transaction, sql`sync = ${sync}`, database);
    const holders = claims.filter(({ holds }) => rows.some(({ id }) => holds.includes(id)));
    await endClaims(
      transaction,
      holders.filter(({ hasLapsed }) => hasLapsed),
      database,
    );
    const current = await due.execute(transaction);
    const free = current.rows.filter(({ holder, ended_claim }) => holder === null || holder === ended_claim);
    const ids = new Set(free.map(({ id }) => id));
    for (const claim of holders) if (!claim.hasLapsed) await leaveClaim(transaction, claim, ids);
    return free;
  }

  /** Extends the lease of a claim. Returns false if the claim is no longer ours: then it has no lease. */
  async function renew({ claim }: Pick<ClaimedRecord, 'claim'>, leaseMs: number): Promise<boolean> {
    const renewed = await change(db)`
      update claims set until = ${now} + ${leaseMs} where token = ${claim} and until >= ${now}
    `;
    return renewed > 0;
  }

  /**
   * How long a claim is still ours, in ms; 0: it is no longer ours, or its run no longer wants what was claimed, because it has
   * ended: only then can a newer plan change the records.
   */
  async function confirm({ claim }: Pick<ClaimedRecord, 'claim'>): Promise<number> {
    const query = { ...leftOfClaim, parameters: [claim] };
    const rows = readAtOnce?.<{ rest: number }>(query) ?? (await db.executeQuery<{ rest: number }>(query)).rows;
    return Math.max(0, rows[0]?.rest ?? 0);
  }

  /**
   * Releases records for which nothing was sent, and ends their claim if all others are settled: what is in doubt stays claimed until
   * the lease ends.
   */
  async function release(records: readonly ClaimedRecord[], of = records[0]): Promise<void> {
    if (!of) return;
    const ids = records.map(({ id }) => id);
    await db.transaction().execute(async (transaction) => {
      // A plan that is opening the creates of the claim comes first.
      await sql`select id from records where ${isOneOf('records.id', ids)} order by id ${lockRows}`.execute(
        transaction,
      );
      await withdrawAttempts(transaction, records.map(toClaim), database);
      const claims = await readClaims(transaction, sql`token = ${of.claim}`, database);
      for (const claim of claims) await leaveClaim(transaction, claim, new Set(ids));
      // Also of records that are no longer ours.
      await move(reconsidered, { where: sql`${isOneOf('records.id', ids)}` }).execute(transaction);
    });
  }

  /** How many records with these keys are still to be delivered, and in how many ms the first of them is due. */
  async function outstanding(sync: string, keys: readonly string[]): Promise<{ pending: number; dueInMs: number }> {
    if (keys.length === 0) return { pending: 0, dueInMs: 0 };
    const rows = await all<{ now: number; claimed_until: number | null; paused_until: number | null }>(db)`
      select ${now} as now, (select max(claims.until) from claims where ${isOpenClaim}) as claimed_until,
        case when ${isPaused(now)} then retry_at end as paused_until
      from records where sync = ${sync} and ${isOneOf('key', keys)} and status = 'pending'
    `;
    const waits = rows.map((row) => Math.max(row.paused_until ?? 0, row.claimed_until ?? 0) - row.now);
    return { pending: rows.length, dueInMs: waits.length === 0 ? 0 : Math.max(0, Math.min(...waits)) };
  }

  /**
   * Ends the claims of exited processes of this machine, and those that have lapsed. Requests of the former may still be under way,
   * so their records are not claimed for `quietMs`. What others may have created under their claims becomes attempts.
   */
  async function releaseExited(sync: string, quietMs: number): Promise<void> {
    const claims = await readClaims(db, sql`sync = ${sync}`, database);
    if (claims.length === 0) return;
    const past = claims.filter(({ hasLapsed }) => hasLapsed);
    const gone = claims.filter(({ holder, hasLapsed }) => !hasLapsed && runtime.isGone(holder));
    const others = claims.filter((each) => !past.includes(each) && !gone.includes(each));
    await db.transaction().execute(async (transaction) => {
      await endClaims(transaction, past, database);
      await endClaims(transaction, gone, database, ({ token }) => exited(token, now, quietMs));
      await noteCreates(transaction, others, database);
    });
  }
}

type DueRow = ClaimedRow & {
  ended_claim: string | null;
  has_open: boolean | number;
  /** Token of the claim that has it; null: none has. */
  holder: string | null;
};

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
