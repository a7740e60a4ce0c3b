import { isDeepStrictEqual } from 'node:util';
import type { Pace, TooMuch } from '../ledger/target/target-state.ts';

/** The first pace of an unknown target: requests are sent one after the other. */
export const FIRST_PACE: Pace = { limit: 1, idleMs: {}, idleFailures: 0, changedAt: 0 };

const FIRST_HOLD_MS = 10_000;
const LONGEST_HOLD_MS = 600_000;
/** A pace that was fine for this long is not the cause of a refusal. */
export const LONG_MS = 10_000;
/** Responses that take this many times as long as without load mean that requests wait at the target. */
const SLOW = 1.25;
/** By this many standard errors, a mean is surely higher or lower than another value. */
const CERTAIN = 3;
/** Few times may be alike by chance. So count them as if this many more, with this deviation, had been seen before. */
const PRIOR_VALUES = 4;
const PRIOR = 0.25;
export const FEWEST_REQUESTS = 4;
export const ENOUGH_REQUESTS = 100;
/** Share of failures that is usual and says nothing about the load. */
const USUAL_FAILURES = 0.1;
/** If the target has refused this many requests at lower and lower rates, the rate is not the cause. */
const MOST_REFUSALS = 4;
/** Timers, garbage collection and the network cause differences of this many ms. */
const SLACK_MS = 2;
/** A process sees responses this many ms late, times the square of its load. A process that is always busy cannot measure. */
const LATE_MS = 20;
const BUSY = 0.9;

/** The requests under one pace that a process has observed. */
export type RequestWindow = ReturnType<typeof openWindow>;

interface Circumstances {
  /** The ledger's clock, in ms since 1970. */
  now: number;
  /** Maximum number of requests in flight. */
  most: number;
  /** Share of the time in which this process was busy; 0 to 1. */
  load: number;
}

/** @param since beginning of the window, in ms */
export function openWindow(since: number) {
  return { since, count: 0, full: 0, paced: 0, failures: 0, tookMs: new Map<string, number[]>() };
}

/** Returns the pace after a window without refused requests; the same pace if nothing changes. */
export function afterWindow(pace: Pace, window: RequestWindow, circumstances: Circumstances): Pace {
  return nextRate(nextLimit(pace, window, circumstances), window, circumstances.now);
}

/**
 * Returns the pace after a window of requests. Allows fewer requests in flight if the responses took longer than without load, or
 * if many failed; otherwise more, if as many as allowed were in flight and they were not too much before. If even single requests
 * are slow, the cause is not the load: their time becomes the time without load.
 */
function nextLimit(pace: Pace, window: RequestWindow, { now, most, load }: Circumstances): Pace {
  const { limit, hold } = pace;
  const { count, failures } = window;
  if (failsTooOften(window, pace)) {
    if (limit === 1) return { ...pace, idleFailures: failures / count };
    const isRetry = hold !== undefined && limit < hold.at + 2;
    return lower(pace, isRetry ? limit - 1 : limit / 2, now);
  }
  const slackMs = load > BUSY ? Number.POSITIVE_INFINITY : SLACK_MS + LATE_MS * load ** 2;
  const slow = slowness(window, pace, slackMs);
  if (slow.count < FEWEST_REQUESTS) return pace;
  if (slow.mean - CERTAIN * slow.error > SLOW) {
    if (limit > 1) return lower(pace, limit / slow.mean, now);
    return { ...pace, idleMs: idleTimes(window, FIRST_PACE), hold: undefined };
  }
  const isFast = slow.mean + slow.error < SLOW && window.full * 2 >= count;
  if (isFast && limit < most && (!hold || mayRetry(hold, now) || limit + 1 < hold.at)) {
    const idleMs = { ...idleTimes(window, FIRST_PACE), ...pace.idleMs };
    return { ...pace, limit: Math.min(most, hold ? limit + 1 : limit * 2), idleMs };
  }
  const idleMs = idleTimes(window, pace);
  return slow.count < ENOUGH_REQUESTS || isDeepStrictEqual(idleMs, pace.idleMs) ? pace : { ...pace, idleMs };
}

/**
 * Returns the pace after a refused request (429): less than was accepted in the second before, over all processes. A refusal after a
 * long time may have any cause, and the pause that follows it suffices. If refusals continue at lower rates, the rate is not the
 * cause.
 */
export function afterRefusal(
  pace: Pace,
  { accepted, sendingMs }: { accepted: number; sendingMs: number },
  now: number,
): Pace {
  const { perSecond: before, refusals = 0 } = pace;
  if (now < (pace.unlimitedUntil ?? 0)) return pace;
  if (before === undefined && sendingMs > LONG_MS) return pace;
  if (refusals >= MOST_REFUSALS) return { ...withoutRate(pace), unlimitedUntil: now + LONGEST_HOLD_MS };
  if (sendingMs > LONG_MS) return { ...pace, refusals: refusals + 1 };
  const rate = Math.max(1, accepted);
  const perSecond = before === undefined ? rate * 0.9 : Math.min(before * 0.9, Math.max(rate * 0.9, before / 2));
  // More requests in flight would only be sent sooner.
  const needed = Math.ceil((perSecond * Math.max(0, ...Object.values(pace.idleMs))) / 1000) + 1;
  const hold = holdOf({ ...pace, perSecond: before ?? rate }, now);
  return { ...pace, perSecond, limit: Math.min(pace.limit, needed), refusals: refusals + 1, hold };
}

/** Returns the pace with a higher rate after a while, if the present rate was used. */
function nextRate(pace: Pace, { count, paced }: RequestWindow, now: number): Pace {
  const { perSecond, hold } = pace;
  if (perSecond === undefined || !hold || !mayRetry(hold, now) || paced * 2 < count) return pace;
  const ratio = perSecond / (hold.rate ?? perSecond);
  if (ratio > 2) return withoutRate(pace);
  return { ...pace, perSecond: perSecond * (ratio > 1.1 ? 1.25 : 1.05), refusals: 0 };
}

/** Whether more requests failed than would at random; sooner if this many in flight were too much before. */
function failsTooOften({ failures, count }: RequestWindow, { limit, hold, idleFailures }: Pace): boolean {
  const expected = count * Math.max(USUAL_FAILURES, idleFailures);
  const deviations = hold !== undefined && limit >= hold.at ? 3 : 4;
  return failures > expected + deviations * Math.sqrt(Math.max(1, expected));
}

function lower(pace: Pace, to: number, now: number): Pace {
  const limit = Math.max(1, Math.min(pace.limit - 1, Math.floor(to)));
  return { ...pace, limit, hold: holdOf(pace, now) };
}

/** Returns until when the present pace is not tried again: longer each time that it is too much again. */
function holdOf({ limit, perSecond, hold }: Pace, now: number): TooMuch {
  const isAgain = hold !== undefined && limit >= hold.at * 0.7 && limit <= hold.at + 1;
  const forMs = isAgain ? Math.min(LONGEST_HOLD_MS, hold.forMs * 2) : FIRST_HOLD_MS;
  return { at: limit, rate: perSecond, until: now + forMs, forMs };
}

/** Whether a pace that was too much may be tried again; also if the clock has gone back since. */
function mayRetry({ until, forMs }: TooMuch, now: number): boolean {
  return now >= until || until - now > forMs;
}

function withoutRate({ perSecond, hold, refusals, ...pace }: Pace): Pace {
  return pace;
}

/** How many times as long as without load the responses took, beyond some ms. */
function slowness({ tookMs }: RequestWindow, { idleMs }: Pace, slackMs: number) {
  const ratios = [...tookMs].flatMap(([operation, times]) => {
    const idle = idleMs[operation] ?? usual(times).mean;
    return times.map((time) => Math.max(0, time - slackMs) / idle);
  });
  return { ...usual(ratios, PRIOR), count: ratios.length };
}

/** The times without load, of operations that are new or surely faster than known. */
function idleTimes({ tookMs }: RequestWindow, { idleMs }: Pace): Pace['idleMs'] {
  const times = [...tookMs].map(([operation, each]): [string, number] => {
    const { mean, error } = usual(each);
    return [operation, Math.min(idleMs[operation] ?? Number.POSITIVE_INFINITY, mean + CERTAIN * error)];
  });
  return { ...idleMs, ...Object.fromEntries(times) };
}

/** The mean of values, and its standard error. @param prior the deviation that few values have at least, as a share of the mean */
function usual(values: readonly number[], prior = 0): { mean: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, PRIOR_VALUES * (mean * prior) ** 2);
  const count = prior > 0 ? values.length + PRIOR_VALUES : values.length;
  return { mean, error: Math.sqrt(squares / count / values.length) };
}
