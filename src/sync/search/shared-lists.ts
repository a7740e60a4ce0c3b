/** How long a reading is kept for those that may still ask for it, in ms. */
const KEEP_MS = 600_000;

/**
 * Readings of lists of the CMS that many may share. What is not in a reading was not in the CMS when the reading began: a
 * create that was still under way then may have arrived since. So each asks for a reading that began after a moment of
 * its own, when nobody else's create of its record was under way any more.
 */
export interface SharedReadings<Reading> {
  /** A reading of the list that began, or is about to begin, after `since` (`performance.now()`), if there is one. */
  atHand(list: string, since: number): Promise<Reading> | undefined;
  /**
   * Such a reading, else a new one. One list is read once at a time: who comes too late for the present reading shares the
   * next one with all others that do.
   */
  read(list: string, since: number, begin: () => Promise<Reading>): Promise<Reading>;
}

interface Shared<Reading> {
  /** Infinity: it is about to begin. */
  beganAt: number;
  result: Promise<Reading>;
}

export function createSharedReadings<Reading>(): SharedReadings<Reading> {
  const newest = new Map<string, Shared<Reading>>();
  return { atHand, read };

  function atHand(list: string, since: number): Promise<Reading> | undefined {
    const known = newest.get(list);
    return known && known.beganAt >= since ? known.result : undefined;
  }

  function read(list: string, since: number, begin: () => Promise<Reading>): Promise<Reading> {
    return atHand(list, since) ?? next(list, begin);
  }

  function next(list: string, begin: () => Promise<Reading>): Promise<Reading> {
    const before = newest.get(list)?.result.catch(() => undefined);
    const shared: Shared<Reading> = {
      beganAt: Number.POSITIVE_INFINITY,
      result: Promise.resolve(before).then(() => {
        shared.beganAt = performance.now();
        return begin();
      }),
    };
    newest.set(list, shared);
    const forget = () => {
      if (newest.get(list) === shared) newest.delete(list);
    };
    shared.result.then(() => setTimeout(forget, KEEP_MS).unref(), forget);
    return shared.result;
  }
}
