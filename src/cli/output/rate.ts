const WINDOW_MS = 10_000;

/** How fast something grows, over the last seconds. */
export function createRate() {
  let seen: Array<{ count: number; at: number }> = [];
  return { measure, forget };

  /**
   * @param at ms since 1970
   * @returns how many a second; undefined: too early to tell
   */
  function measure(count: number, at: number): number | undefined {
    seen.push({ count, at });
    // One from before the window stays, so that it is measured over the whole of it.
    while ((seen[1]?.at ?? at) < at - WINDOW_MS) seen.shift();
    const [first] = seen;
    if (!first || at - first.at < 1000) return undefined;
    return ((count - first.count) * 1000) / (at - first.at);
  }

  /** What was before does not count: something else begins. */
  function forget(): void {
    seen = [];
  }
}
