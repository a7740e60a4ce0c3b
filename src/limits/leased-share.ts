import { partOfProcess, type Runtime } from '../core/runtime/runtime.ts';
import type { PermitLease } from '../ledger/target/target-state.ts';
import type { SeenState, TargetView } from './target-view.ts';

const LEASE_MS = 6_000;
const RENEW_AFTER_MS = 2_000;
/** How long a process is first in line for permits that cannot be divided evenly. */
const TURN_MS = 5_000;
/** How many permits this process may use by itself, and until when by the monotonic clock. */
const NOTHING = { permits: 0, until: 0 };

export interface ShareOptions {
  limit: PermitLease['limit'];
  /** How long a permit stays in use after its request was sent, at least. */
  periodMs: number;
  /** Returns how many permits all processes together may use. */
  total: () => number;
  /** Returns how many permits this process uses. */
  inUse: () => number;
  runtime: Runtime;
}

/**
 * Creates the share of a limit that this process leases in the ledger: the limit divided by the processes that send requests at
 * present. The leases of all processes never add up to more than the limit. If a process has to give up permits that its requests
 * still use, it records them as granted until they are free.
 */
export function createLeasedShare(view: TargetView, options: ShareOptions) {
  const { limit, periodMs, total, inUse, runtime } = options;
  const holder = partOfProcess(runtime);
  let allowance = NOTHING;
  return { allowance: () => allowance, isLeased: () => allowance !== NOTHING, renew, giveBack };

  /** Leases the share to which this process is entitled. */
  async function renew(): Promise<void> {
    while (!(await tryRenew(await view.look())));
  }

  /** Returns false if another process changed the leases meanwhile. */
  async function tryRenew(seen: SeenState): Promise<boolean> {
    const until = runtime.monotonic() + LEASE_MS;
    const now = view.ledgerTime(seen);
    const { leases, others } = liveLeases(seen.permits, now);
    const mine = leases.find((lease) => lease.holder === holder);
    const rest = leases.filter((lease) => lease !== mine);
    // A lease in its last period is that of a process that has exited or given it back: its requests still count.
    const senders = rest.filter((lease) => lease.until > now + periodMs).map((lease) => lease.holder);
    const index = senders.filter((other) => other < holder).length;
    const left = total() - rest.reduce((sum, { granted }) => sum + granted, 0);
    const permits = Math.max(0, Math.min(shareOf(total(), senders.length + 1, index, Math.floor(now / TURN_MS)), left));
    // The last request may be sent at the end of the allowance.
    const next = { limit, holder, granted: Math.max(permits, inUse()), until: now + LEASE_MS + periodMs };
    // Either clock may have been set: then the lease and the allowance end at different times.
    const endsSoon = until - allowance.until > RENEW_AFTER_MS || next.until - (mine?.until ?? 0) > RENEW_AFTER_MS;
    if (mine?.granted === next.granted && !endsSoon) {
      allowance = { permits, until: allowance.until };
      return true;
    }
    allowance = { permits: Math.min(permits, allowance.permits), until: allowance.until };
    if (!(await view.replacePermits(seen, [...others, ...rest, next]))) return false;
    allowance = { permits, until };
    return true;
  }

  /** Gives back the permits that this process does not use. */
  async function giveBack(): Promise<void> {
    allowance = NOTHING;
    for (;;) {
      const seen = view.last() ?? (await view.look());
      const { leases, others } = liveLeases(seen.permits, view.ledgerTime(seen), holder);
      if (await view.replacePermits(seen, [...others, ...leases])) return;
    }
  }

  /**
   * Drops ended leases. The lease of an exited process ends when its last request leaves the period. A lease that lasts longer
   * than a new one would is from before the ledger's clock was set back.
   */
  function liveLeases(permits: readonly PermitLease[], now: number, exiting?: string) {
    const leases = permits
      .filter((lease) => lease.limit === limit)
      .map((lease) => {
        const hasExited = lease.holder === exiting || runtime.isGone(lease.holder);
        const latest = now + periodMs + (hasExited ? 0 : LEASE_MS);
        return { ...lease, until: Math.min(lease.until, latest) };
      })
      .filter(({ until }) => until > now);
    return { leases, others: permits.filter((lease) => lease.limit !== limit) };
  }
}

/**
 * Returns the share of the process at `index` if `total` permits are divided equally.
 * @param turn which process is first in line for permits that cannot be divided evenly
 */
export function shareOf(total: number, processes: number, index: number, turn: number): number {
  const isFirstInLine = (index + turn) % processes < total % processes;
  return Math.floor(total / processes) + (isFirstInLine ? 1 : 0);
}
