/** How many permits a process holds, and how many it could use. */
export interface Share {
  granted: number;
  wanted: number;
}

/**
 * How many of `total` permits a process may use beside the others, in the order in which all of them came (`before`, it,
 * `after`): its fair share of what all want, but never more than the others leave of the total.
 */
export function shareOf(
  total: number,
  wanted: number,
  { before, after }: { before: readonly Share[]; after: readonly Share[] },
): number {
  const wants = [...before.map((share) => share.wanted), wanted, ...after.map((share) => share.wanted)];
  const left = total - [...before, ...after].reduce((sum, { granted }) => sum + granted, 0);
  return Math.max(0, Math.min(fairShares(total, wants)[before.length] ?? 0, left));
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
