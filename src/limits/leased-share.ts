import { isGone, partOfThisProcess } from '../ledger/database/lease-holder.ts';
import type { PerLimit, PermitLease } from '../ledger/target/target-state.ts';
import { shareOf } from './fair-shares.ts';
import { ledgerTime, type SeenState, type TargetView } from './target-view.ts';

const LEASE_MS = 6_000;
const RENEW_AFTER_MS = 2_000;
/** How long a process is first in line for permits that cannot be divided evenly. */
const TURN_MS = 5_000;

/** What this process may use until `until` (`performance.now()`), by itself. */
export interface Allowance extends PerLimit<number> {
  until: number;
}

export interface ShareOptions {
  background: boolean;
  /** Of the limit on the rate; 0: there is none. */
  periodMs: number;
  /** Returns what all processes together may use. */
  limits: () => PerLimit<number>;
  /** Returns what this process uses. */
  used: () => PerLimit<number>;
}

/**
 * Creates the share of a target's limits that this process leases in the ledger: all of it while the process is alone. The
 * leases of all processes never add up to more than a limit. One that has to give up permits which its requests still use
 * records them as granted until they are free.
 */
export function createLeasedShare(view: TargetView, { background, periodMs, limits, used }: ShareOptions) {
  const holder = partOfThisProcess();
  const nothing: Allowance = { inFlight: 0, perPeriod: 0, until: 0 };
  let allowance = nothing;
  return { allowance: () => allowance, isLeased: () => allowance !== nothing, renew, giveBack };

  /** Leases the share that this process is due. */
  async function renew(wanted: PerLimit<number>): Promise<void> {
    while (!(await tryRenew(await view.look(), wanted)));
  }

  /** Returns false if another process changed the leases meanwhile. */
  async function tryRenew(seen: SeenState, demand: PerLimit<number>): Promise<boolean> {
    const until = performance.now() + LEASE_MS;
    const now = ledgerTime(seen);
    const leases = liveLeases(seen.permits, now);
    const mine = leases.find((lease) => lease.holder === holder);
    const index = mine ? leases.indexOf(mine) : leases.length;
    const total = limits();
    const wanted = leases.some((lease) => lease !== mine) ? demand : total;
    const inUse = used();
    const asks = perLimit((limit) => ({ granted: inUse[limit], wanted: wanted[limit] }));
    // A request counts for a period after it was sent; the last one may be sent when the allowance ends.
    const lease = { holder, background, until: now + LEASE_MS + periodMs, ...asks };
    const all = leases.toSpliced(index, 1, lease);
    const turn = Math.floor(now / TURN_MS);
    const share = perLimit((limit) =>
      shareOf(
        total[limit],
        all.map((each) => ({ ...each[limit], background: each.background })),
        index,
        turn,
      ),
    );
    Object.assign(
      lease,
      perLimit((limit) => ({ ...lease[limit], granted: Math.max(share[limit], inUse[limit]) })),
    );
    if (mine && !isOutdated(mine, lease)) {
      allowance = { ...share, until: allowance.until };
      return true;
    }
    allowance = { ...perLimit((limit) => Math.min(share[limit], allowance[limit])), until: allowance.until };
    if (!(await view.replacePermits(seen, all))) return false;
    allowance = { ...share, until };
    return true;
  }

  /** Gives back what this process does not use. */
  async function giveBack(): Promise<void> {
    allowance = nothing;
    for (;;) {
      const seen = view.last() ?? (await view.look());
      const now = ledgerTime(seen);
      const others = liveLeases(seen.permits, now).flatMap((lease) =>
        lease.holder === holder ? ended(lease, now) : lease,
      );
      if (await view.replacePermits(seen, others)) return;
    }
  }

  function liveLeases(leases: readonly PermitLease[], now: number): PermitLease[] {
    return leases
      .filter(({ until }) => until > now)
      .flatMap((lease) => (isGone(lease.holder) ? ended(lease, now) : lease));
  }

  /** What is left of a lease whose process sends no more requests: those that it sent in the last period. */
  function ended(lease: PermitLease, now: number): PermitLease[] {
    if (periodMs === 0) return [];
    const { perPeriod } = lease;
    return [
      {
        ...lease,
        inFlight: { granted: 0, wanted: 0 },
        perPeriod: { ...perPeriod, wanted: 0 },
        until: Math.min(lease.until, now + periodMs),
      },
    ];
  }
}

function isOutdated(lease: PermitLease, next: PermitLease): boolean {
  const differs = perLimit(
    (limit) => lease[limit].granted !== next[limit].granted || lease[limit].wanted < next[limit].wanted,
  );
  return differs.inFlight || differs.perPeriod || next.until - lease.until > RENEW_AFTER_MS;
}

function perLimit<Value>(value: (limit: keyof PerLimit<Value>) => Value): PerLimit<Value> {
  return { inFlight: value('inFlight'), perPeriod: value('perPeriod') };
}
