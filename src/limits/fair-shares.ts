import type { PermitLease } from '../ledger/target/target-state.ts';

export type Share = Pick<PermitLease, 'granted' | 'wanted' | 'background'>;

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
