import { partOfProcess, type Runtime } from '../core/runtime/runtime.ts';
import type { PermitLease } from '../ledger/target/target-state.ts';
import type { SeenState, TargetView } from './target-view.ts';

export type Share = Pick<PermitLease, 'granted' | 'wanted' | 'background'>;

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
  background: boolean;
  /** Returns how many permits all processes together may use. */
  total: () => number;
  /** Returns how many permits this process uses. */
  inUse: () => number;
  runtime: Runtime;
}

/**
 * Creates the share of a limit that this process leases in the ledger: all of it while the process is alone. The leases of all
 * processes never add up to more than the limit. If a process has to give up permits that its requests still use, it records
 * them as granted until they are free.
 */
export function createLeasedShare(view: TargetView, options: ShareOptions) {
  const { limit, periodMs, background, total, inUse, runtime } = options;
  const holder = partOfProcess(runtime);
  let allowance = NOTHING;
  return { allowance: () => allowance, isLeased: () => allowance !== NOTHING, renew, giveBack };

  /** Leases the share to which this process is entitled. */
  async function renew(wanted: number): Promise<void> {
    while (!(await tryRenew(await view.look(), wanted)));
  }

  /** Returns false if another process changed the leases meanwhile. */
  async function tryRenew(seen: SeenState, wanted: number): Promise<boolean> {
    const until = runtime.monotonic() + LEASE_MS;
    const now = view.ledgerTime(seen);
    const { leases, others } = liveLeases(seen.permits, now);
    const mine = leases.find((lease) => lease.holder === holder);
    const index = mine ? leases.indexOf(mine) : leases.length;
    const isAlone = leases.every((lease) => lease === mine);
    const demand = { limit, holder, background, wanted: isAlone ? total() : wanted, granted: 0 };
    const permits = shareOf(
      total(),
      leases.toSpliced(index, 1, demand as PermitLease),
      index,
      Math.floor(now / TURN_MS),
    );
    // The last request may be sent at the end of the allowance.
    const next = { ...demand, granted: Math.max(permits, inUse()), until: now + LEASE_MS + periodMs };
    // Either clock may have been set: then the lease and the allowance end at different times.
    const endsSoon = until - allowance.until > RENEW_AFTER_MS;
    if (mine && !endsSoon && !isOutdated(mine, next)) {
      allowance = { permits, until: allowance.until };
      return true;
    }
    allowance = { permits: Math.min(permits, allowance.permits), until: allowance.until };
    if (!(await view.replacePermits(seen, [...others, ...leases.toSpliced(index, 1, next)]))) return false;
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
        return { ...lease, wanted: hasExited ? 0 : lease.wanted, until: Math.min(lease.until, latest) };
      })
      .filter(({ until }) => until > now);
    return { leases, others: permits.filter((lease) => lease.limit !== limit) };
  }
}

function isOutdated(lease: PermitLease, next: PermitLease): boolean {
  return lease.granted !== next.granted || lease.wanted < next.wanted || next.until - lease.until > RENEW_AFTER_MS;
}

/**
 * Returns how many of `total` permits the process at `index` may use: its fair share, but never more than the others leave.
 * Background processes share the permits that the others do not want, but get at least one if `total` is two or more.
 * @param turn which process is first in line for permits that cannot be divided evenly
 */
export function shareOf(total: number, shares: readonly Share[], index: number, turn = 0): number {
  const left = total - sum(shares.map(({ granted }, other) => (other === index ? 0 : granted)));
  return Math.max(0, Math.min(allShares(total, shares, turn)[index] ?? 0, left));
}

function allShares(total: number, shares: readonly Share[], turn: number): number[] {
  const wants = (background: boolean) => shares.map((share) => (share.background === background ? share.wanted : 0));
  const kept = total > 1 && sum(wants(true)) > 0 ? 1 : 0;
  const foreground = fairShares(total - kept, wants(false), turn);
  const background = fairShares(total - sum(foreground), wants(true), turn);
  return shares.map((_, index) => (foreground[index] ?? 0) + (background[index] ?? 0));
}

/** Gives one permit to each process in turn, as long as permits are left and a process wants more. */
function fairShares(total: number, wants: readonly number[], turn: number): number[] {
  const shares = wants.map(() => 0);
  let left = Math.min(total, sum(wants));
  for (let next = turn; left > 0; next += 1) {
    const index = next % wants.length;
    const share = shares[index] ?? 0;
    if (share >= (wants[index] ?? 0)) continue;
    shares[index] = share + 1;
    left -= 1;
  }
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
