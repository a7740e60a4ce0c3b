/** How many permits a process holds, and how many it could use. */
export interface Share {
  granted: number;
  wanted: number;
}

/**
 * How many of `total` permits a process may hold beside the others, in the order in which all of them came (`before`, it,
 * `after`): its fair share of what all want, and what nobody wants. Never more than the others leave of the total, and
 * never fewer than it has in use: those cannot be taken back.
 */
export function shareOf(
  total: number,
  mine: { inUse: number; wanted: number },
  { before, after }: { before: readonly Share[]; after: readonly Share[] },
): number {
  const wants = [...before, mine, ...after].map(({ wanted }) => wanted);
  const fair = fairShares(total, wants);
  const spare = total - fair.reduce((sum, share) => sum + share, 0);
  const left = total - [...before, ...after].reduce((sum, { granted }) => sum + granted, 0);
  return Math.max(mine.inUse, Math.min((fair[before.length] ?? 0) + spare, left), 0);
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
