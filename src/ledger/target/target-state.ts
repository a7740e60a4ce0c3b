import { type Nullable, sql } from 'kysely';
import type { LedgerDatabase, TargetRow } from '../database/schema.ts';
import { cell, change, only } from '../database/statements.ts';

/** A pace that was too much for a target, and is not tried again before a certain time. */
export interface TooMuch {
  /** Requests in flight. */
  at: number;
  /** Requests per second; absent: not limited. */
  rate?: number;
  /** By the ledger's clock, in ms since 1970. */
  until: number;
  /** Length of the time that ends at `until`; doubles while the target is still overloaded at this pace. */
  forMs: number;
}

/** How many requests a target takes, as measured by all processes. */
export interface Pace {
  /** Requests in flight. */
  limit: number;
  /** Requests per second; absent: the target has not refused any (429). */
  perSecond?: number;
  hold?: TooMuch;
  /** Requests in a row that the target has refused, although the rate was limited. */
  refusals?: number;
  /** Until then, refusals do not limit the rate, because the target refused requests at any rate. By the ledger's clock. */
  unlimitedUntil?: number;
  /** How long each operation takes while the target is not loaded, in ms. */
  idleMs: Readonly<Record<string, number>>;
  /** Share of the requests that fail although the target is not loaded. */
  idleFailures: number;
  /** Time of the last change, by the ledger's clock, in ms since 1970. */
  changedAt: number;
}

/** Why a target is paused: it asked for a pause, or it fails to respond properly. */
export type PauseReason = 'busy' | 'unwell';

/** The share of one of a target's limits that a process has leased. */
export interface PermitLease {
  /** Requests in flight, or requests in the period of the limit on the rate. */
  limit: 'inFlight' | 'rate';
  holder: string;
  granted: number;
  /** By the ledger's clock, in ms since 1970. */
  until: number;
}

export type TargetState = ReturnType<typeof toState>;
type LookedUp = { now: number } & Nullable<TargetRow>;

/** Calls that change the state of an epoch do nothing once that epoch is over. */
export type TargetStore = ReturnType<typeof createTargetStore>;

export function createTargetStore({ db, now, runtime }: LedgerDatabase) {
  return { look, pause, stop, probe, endProbe, resume, replacePermits, replacePace };

  async function look(target: string): Promise<TargetState> {
    const row = await only<LookedUp>(db)`
      select targets.*, now from (select ${now} as now) as clock left join targets on target = ${target}
    `;
    return toState(row);
  }

  /** Pauses the target, or prolongs a pause that the target asked for. */
  async function pause(
    target: string,
    epoch: number,
    { forMs, reason }: { forMs: number; reason: PauseReason },
  ): Promise<void> {
    await ensure(target);
    const lengthMs = Math.round(forMs);
    const until = sql`${now} + ${lengthMs}`;
    // The present pause counts only if the clock has not gone back since its begin.
    const isLonger = sql`coalesce(paused_until, 0) > ${until} and paused_until - ${now} <= coalesce(paused_for, paused_until)`;
    const isNews = sql`epoch = ${epoch}`;
    // Requests that were in flight together end together: the longest pause that was asked for counts.
    await change(db)`
      update targets set
        paused_until = case when ${isLonger} then paused_until else ${until} end,
        paused_for = case when ${isLonger} then paused_for else ${lengthMs} end,
        pause_reason = ${reason},
        pauses = pauses + case when ${isNews} then 1 else 0 end,
        epoch = epoch + case when ${isNews} then 1 else 0 end,
        probe_until = null
      where target = ${target}
        and (${isNews} or (${reason} = 'busy' and pause_reason = 'busy' and paused_until > ${now}))
    `;
  }

  async function stop(
    target: string,
    epoch: number,
    { credentials, code, reason }: NonNullable<TargetState['stop']>,
  ): Promise<void> {
    await ensure(target);
    await change(db)`
      update targets set stopped_credentials_hash = ${credentials}, stop_code = ${code}, stop_reason = ${reason},
        probe_until = null, epoch = epoch + 1
      where target = ${target} and epoch = ${epoch}
    `;
  }

  /** Claims the right to send one request to a paused or stopped target; false if another live process has this right. */
  async function probe(
    target: string,
    epoch: number,
    { holder, leaseMs }: { holder: string; leaseMs: number },
  ): Promise<boolean> {
    const other = await cell<string | null>(db)`select probe_holder from targets where target = ${target}`;
    const exited = other && runtime.isGone(other) ? other : null;
    // A lease that ends later than a new one would is from before the clock was set back.
    const claimed = await change(db)`
      update targets set probe_holder = ${holder}, probe_until = ${now} + ${leaseMs}
      where target = ${target} and epoch = ${epoch} and (
        probe_until is null or probe_until not between ${now} and ${now} + ${leaseMs} or probe_holder = ${exited}
      )
    `;
    return claimed > 0;
  }

  /** Returns the right to send one request, unused. */
  async function endProbe(target: string, epoch: number): Promise<void> {
    await change(db)`update targets set probe_until = null where target = ${target} and epoch = ${epoch}`;
  }

  /** Ends a pause or stop. */
  async function resume(target: string, epoch: number): Promise<void> {
    await change(db)`
      update targets set paused_until = null, pause_reason = null, pauses = 0, probe_until = null, resumed_at = ${now},
        stopped_credentials_hash = null, stop_code = null, stop_reason = null, epoch = epoch + 1
      where target = ${target} and epoch = ${epoch}
    `;
  }

  async function ensure(target: string): Promise<void> {
    await change(db)`insert into targets (target, epoch, pauses) values (${target}, 0, 0) on conflict do nothing`;
  }

  /** Replaces all permits; false if the permits are no longer those of `before`. */
  async function replacePermits(
    target: string,
    before: readonly PermitLease[],
    after: readonly PermitLease[],
  ): Promise<boolean> {
    const replaced = await change(db)`
      insert into targets (target, epoch, pauses, permits) values (${target}, 0, 0, ${JSON.stringify(after)})
      on conflict (target) do update set permits = excluded.permits where targets.permits = ${JSON.stringify(before)}
    `;
    return replaced > 0;
  }

  /** Replaces the pace of a target that has a row; false if the pace is no longer that of `before`. */
  async function replacePace(target: string, before: Pace | undefined, after: Pace): Promise<boolean> {
    const replaced = await change(db)`
      update targets set pace = ${JSON.stringify(after)}
      where target = ${target} and coalesce(pace, '') = ${before ? JSON.stringify(before) : ''}
    `;
    return replaced > 0;
  }
}

/** What all processes know of a target, from its row (all null if the target has none) and the time. */
function toState({ now, paused_until, stopped_credentials_hash: credentials, resumed_at, ...row }: LookedUp) {
  const leftMs = paused_until === null ? 0 : paused_until - now;
  return {
    /** Grows with every pause, stop and resumption: the outcome of a request of an earlier epoch is outdated. */
    epoch: row.epoch ?? 0,
    /** In the order in which the processes arrived. */
    permits: JSON.parse(row.permits ?? '[]') as readonly PermitLease[],
    /** The ledger's clock, in ms since 1970. */
    now,
    ...(row.pace === null ? {} : { pace: JSON.parse(row.pace) as Pace }),
    /**
     * Absent: requests may be sent. Once `forMs` is not positive, one request may test whether the target has recovered. This
     * also holds if more time is left than the whole pause lasts, because the clock has gone back since.
     */
    ...(paused_until === null
      ? {}
      : {
          pause: {
            forMs: leftMs > (row.paused_for ?? leftMs) ? 0 : leftMs,
            reason: row.pause_reason ?? 'unwell',
            count: row.pauses ?? 0,
          },
        }),
    /** The target refused these credentials. Processes with other credentials may test whether it accepts theirs. */
    ...(credentials === null
      ? {}
      : { stop: { credentials, code: row.stop_code ?? 'FF_BUG', reason: row.stop_reason ?? '' } }),
    /** Time since the last pause ended, in ms. */
    ...(resumed_at === null ? {} : { resumedForMs: now - resumed_at }),
  };
}
