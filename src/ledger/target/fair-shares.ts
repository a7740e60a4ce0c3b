/** What a process could use, and whether it takes only what the others leave. */
export interface Demand {
  wanted: number;
  background: boolean;
}

/** How many permits a process holds besides. */
export interface Share extends Demand {
  granted: number;
}

/**
 * How many of `total` permits a process may use beside the others, in the order in which all of them came (`before`, it,
 * `after`): its fair share of what all want, but never more than the others leave of the total. Those in the background share
 * what the others do not want, and one permit at least where there are two.
 */
export function shareOf(
  total: number,
  demand: Demand,
  { before, after }: { before: readonly Share[]; after: readonly Share[] },
): number {
  const demands = [...before, demand, ...after];
  const left = total - [...before, ...after].reduce((sum, { granted }) => sum + granted, 0);
  return Math.max(0, Math.min(sharesOf(total, demands)[before.length] ?? 0, left));
}

function sharesOf(total: number, demands: readonly Demand[]): number[] {
  const wants = (background: boolean) =>
    demands.map((demand) => (demand.background === background ? demand.wanted : 0));
  const kept = total > 1 && sum(wants(true)) > 0 ? 1 : 0;
  const foreground = fairShares(total - kept, wants(false));
  const background = fairShares(total - sum(foreground), wants(true));
  return demands.map((_, index) => (foreground[index] ?? 0) + (background[index] ?? 0));
}

/** One permit each in turn, as long as there are any and somebody wants one. */
function fairShares(total: number, wants: readonly number[]): number[] {
  const shares = wants.map(() => 0);
  for (let left = total, given = true; left > 0 && given; ) {
    given = false;
    for (const [index, wanted] of wants.entries()) {
      const share = shares[index] ?? 0;
      if (left === 0 || share >= wanted) continue;
      shares[index] = share + 1;
      left -= 1;
      given = true;
    }
  }
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
