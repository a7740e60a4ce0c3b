import type { Clock } from '../../core/runtime/clock.ts';

/** How long a reading is kept for other records that may need it, in ms. */
const KEEP_MS = 600_000;

interface Shared<Reading> {
  /** Infinity: the reading is about to begin. */
  beganAt: number;
  result: Promise<Reading>;
}

/**
 * Shares readings of lists of the CMS. An item that a reading lacks was not in the CMS when the reading began, but a create
 * that was under way then may have arrived since. So each caller needs a reading that began after a moment of its own
 * (`since`, by the monotonic clock), when no other create of the same record was under way.
 */
export function createSharedReadings<Reading>(
  { monotonic, after }: Pick<Clock, 'monotonic' | 'after'>,
  keepMs = KEEP_MS,
) {
  const newest = new Map<string, Shared<Reading>>();
  return { atHand, read };

  /** Returns a reading of the list that began, or will begin, after `since`, if there is one. */
  function atHand(list: string, since: number): Promise<Reading> | undefined {
    const known = newest.get(list);
    return known && known.beganAt >= since ? known.result : undefined;
  }

  /** Returns such a reading, or begins one. A list is read once at a time: callers that need a later reading share the next. */
  function read(list: string, since: number, begin: () => Promise<Reading>): Promise<Reading> {
    return atHand(list, since) ?? next(list, begin);
  }

  function next(list: string, begin: () => Promise<Reading>): Promise<Reading> {
    const before = newest.get(list)?.result.catch(() => undefined);
    const shared: Shared<Reading> = {
      beganAt: Number.POSITIVE_INFINITY,
      result: Promise.resolve(before).then(() => {
        shared.beganAt = monotonic();
        return begin();
      }),
    };
    newest.set(list, shared);
    const forget = () => {
      if (newest.get(list) === shared) newest.delete(list);
    };
    shared.result.then(() => after(keepMs, forget).unref(), forget);
    return shared.result;
  }
}
