const WINDOW_MS = 10_000;

/** Measures how fast a count grows, over the last seconds. */
export function createRate() {
  let samples: Array<{ count: number; time: number }> = [];
  return { measure, forget };

  /**
   * @param time ms since 1970
   * @returns how many a second; undefined: too early to say
   */
  function measure(count: number, time: number): number | undefined {
    samples.push({ count, time });
    // One sample from before the window stays, so that the whole window is measured.
    while ((samples[1]?.time ?? time) < time - WINDOW_MS) samples.shift();
    const [first] = samples;
    if (!first || time - first.time < 1000) return undefined;
    return ((count - first.count) * 1000) / (time - first.time);
  }

  /** Starts again: something else is counted from here. */
  function forget(): void {
    samples = [];
  }
}
