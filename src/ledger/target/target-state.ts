import { sql } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import { isGone } from '../database/lease-holder.ts';
import type { LedgerDatabase, TargetRow } from '../database/schema.ts';

/** Why a target is paused: it asked for it, or it does not answer as it should. */
export type PauseReason = 'busy' | 'unwell';

/** Whether a target takes requests, as all processes see it. */
export interface TargetState {
  /** Grows with every change of the state: what a request of an earlier epoch tells is old news. */
  epoch: number;
  /** Absent: requests flow. Once `forMs` is not positive, one request may find out whether the target is well again. */
  pause?: { forMs: number; reason: PauseReason; count: number };
  /** It refused these credentials; others may find out whether it takes them. */
  stop?: { credentials: string; code: ErrorCode; reason: string };
  /** Since the last pause ended, in ms; absent: there was none. */
  resumedForMs?: number;
}

/** What all processes know of a target. The changing calls do nothing where the epoch is over. */
export interface TargetStore {
  look(target: string): Promise<TargetState>;
  /** Pauses it, or prolongs a pause that it asked for. */
  pause(target: string, epoch: number, pause: { forMs: number; reason: PauseReason }): Promise<void>;
  stop(target: string, epoch: number, stop: NonNullable<TargetState['stop']>): Promise<void>;
  /** Takes the right to send one request to a paused or stopped target; false: another process has it, and lives. */
  probe(target: string, epoch: number, lease: { holder: string; leaseMs: number }): Promise<boolean>;
  /** Gives that right back unused. */
  endProbe(target: string, epoch: number): Promise<void>;
  /** The target is well again. */
  resume(target: string, epoch: number): Promise<void>;
  /**
   * Takes the next free slot of a target, `intervalMs` after the last one taken by any process.
   * Answers how long to wait for it, in ms.
   */
  reserve(target: string, intervalMs: number): Promise<number>;
}

export function createTargetStore({ db, now }: LedgerDatabase): TargetStore {
  return { look, pause, stop, probe, endProbe, resume, reserve };

  async function look(target: string): Promise<TargetState> {
    const row = await db
      .selectFrom('targets')
      .selectAll()
      .select(now.as('now'))
      .where('target', '=', target)
      .executeTakeFirst();
    return row ? toState(row, Number(row.now)) : { epoch: 0 };
  }

  async function pause(
    target: string,
    epoch: number,
    { forMs, reason }: { forMs: number; reason: PauseReason },
  ): Promise<void> {
    await ensure(target);
    const until = sql<number>`${now} + ${Math.round(forMs)}`;
    const isNews = sql`epoch = ${epoch}`;
    await db
      .updateTable('targets')
      .set({
        paused_until: sql<number>`case when coalesce(paused_until, 0) > ${until} then paused_until else ${until} end`,
        pause_reason: reason,
        pauses: sql<number>`pauses + case when ${isNews} then 1 else 0 end`,
        epoch: sql<number>`epoch + case when ${isNews} then 1 else 0 end`,
        probe_until: null,
      })
      .where('target', '=', target)
      // Requests that were under way together are answered together: the longest pause asked for counts.
      .where(({ or, and, eb }) =>
        or([
          eb('epoch', '=', epoch),
          ...(reason === 'busy' ? [and([eb('pause_reason', '=', 'busy'), eb('paused_until', '>', now)])] : []),
        ]),
      )
      .execute();
  }

  async function stop(
    target: string,
    epoch: number,
    { credentials, code, reason }: NonNullable<TargetState['stop']>,
  ): Promise<void> {
    await ensure(target);
    await inEpoch(target, epoch)
      .set({ stopped_credentials_hash: credentials, stop_code: code, stop_reason: reason, probe_until: null })
      .set({ epoch: epoch + 1 })
      .execute();
  }

  async function probe(
    target: string,
    epoch: number,
    { holder, leaseMs }: { holder: string; leaseMs: number },
  ): Promise<boolean> {
    const { probe_holder: other } = await db
      .selectFrom('targets')
      .select('probe_holder')
      .where('target', '=', target)
      .executeTakeFirstOrThrow();
    const { numUpdatedRows } = await inEpoch(target, epoch)
      .set({ probe_holder: holder, probe_until: sql<number>`${now} + ${leaseMs}` })
      .where(({ or, eb }) =>
        or([
          eb('probe_until', 'is', null),
          eb('probe_until', '<', now),
          ...(other !== null && isGone(other) ? [eb('probe_holder', '=', other)] : []),
        ]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async function endProbe(target: string, epoch: number): Promise<void> {
    await inEpoch(target, epoch).set({ probe_until: null }).execute();
  }

  async function resume(target: string, epoch: number): Promise<void> {
    await inEpoch(target, epoch)
      .set({ paused_until: null, pause_reason: null, pauses: 0, probe_until: null, resumed_at: now, epoch: epoch + 1 })
      .set({ stopped_credentials_hash: null, stop_code: null, stop_reason: null })
      .execute();
  }

  function inEpoch(target: string, epoch: number) {
    return db.updateTable('targets').where('target', '=', target).where('epoch', '=', epoch);
  }

  async function ensure(target: string): Promise<void> {
    await db
      .insertInto('targets')
      .values({ target, epoch: 0, pauses: 0, next_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function reserve(target: string, intervalMs: number): Promise<number> {
    // In microseconds: a whole number of ms would be a coarse limit for hundreds of requests a second.
    const interval = Math.ceil(intervalMs * 1000);
    const micros = sql<number>`${now} * 1000`;
    const row = await db
      .insertInto('targets')
      .values({ target, epoch: 0, pauses: 0, next_at: sql<number>`${micros} + ${interval}` })
      .onConflict((conflict) =>
        conflict.column('target').doUpdateSet({
          next_at: sql<number>`case when targets.next_at > ${micros} then targets.next_at else ${micros} end + ${interval}`,
        }),
      )
      .returning(['next_at', now.as('now')])
      .executeTakeFirstOrThrow();
    return Math.max(0, (row.next_at - interval) / 1000 - Number(row.now));
  }
}

function toState(row: TargetRow, now: number): TargetState {
  const { epoch, paused_until, pause_reason, pauses, stopped_credentials_hash, stop_code, stop_reason, resumed_at } =
    row;
  return {
    epoch,
    ...(paused_until === null
      ? {}
      : { pause: { forMs: paused_until - now, reason: pause_reason ?? 'unwell', count: pauses } }),
    ...(stopped_credentials_hash === null
      ? {}
      : { stop: { credentials: stopped_credentials_hash, code: stop_code as ErrorCode, reason: stop_reason ?? '' } }),
    ...(resumed_at === null ? {} : { resumedForMs: now - resumed_at }),
  };
}
