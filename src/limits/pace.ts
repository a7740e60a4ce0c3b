import type { Pace, TooMuch } from '../ledger/target/pace.ts';

/** The first pace of an unknown target: requests are sent one after the other. */
export const FIRST_PACE: Pace = { limit: 1, idleMs: {}, idleFailures: 0, changedAt: 0 };

const FIRST_HOLD_MS = 10_000;
const LONGEST_HOLD_MS = 600_000;

/** Returns until when a value that was too much is not tried again: longer each time that the value is too much again. */
export function holdBelow(at: number, before: TooMuch | undefined, now: number): TooMuch {
  const isAgain = before !== undefined && at >= before.at * 0.7 && at <= before.at * 1.3 + 1;
  const forMs = isAgain ? Math.min(LONGEST_HOLD_MS, before.forMs * 2) : FIRST_HOLD_MS;
  return { at, until: now + forMs, forMs };
}

/** Whether a value that was too much may be tried again; also if the clock has gone back since. */
export function mayRetry({ until, forMs }: TooMuch, now: number): boolean {
  return now >= until || until - now > forMs;
}
