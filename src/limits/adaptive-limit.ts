import type { Pace } from '../ledger/target/pace.ts';
import { holdBelow, mayRetry } from './pace.ts';
import type { RequestWindow } from './request-window.ts';

/** Responses that take this many times as long as without load mean that requests wait at the target. */
const TOLERANCE = 1.2;
/** Timers, garbage collection and the network cause differences of this many ms. */
const SLACK_MS = 2;
/** A process sees responses this many ms late, times the square of its load. A process that is always busy cannot measure. */
const LATE_MS = 20;
const BUSY = 0.9;
/** One response counts as at most this many times the median: it may have waited for something else. */
const MOST_MEDIANS = 4;
/** By this many standard errors, a mean is surely higher or lower than another value. */
const CERTAIN = 3.5;
const SHORTEST_MS = 0.01;
/** Few times may be alike by chance. So count them as if this many more, with this deviation, had been seen before. */
const PRIOR = 0.5;
const PRIOR_VALUES = 4;
/** Share of the way that the time without load moves at once towards a lower time. */
const APPROACH = 0.5;
const FEWEST_REQUESTS = 4;
/** This many requests show their time without load, if it is shorter than the known one. */
const ENOUGH_REQUESTS = 100;
/** Share of failures that is usual and says nothing about the load. */
const USUAL_FAILURES = 0.1;

interface Circumstances {
  /** The ledger's clock, in ms since 1970. */
  now: number;
  /** Maximum number of requests in flight. */
  most: number;
  /** Share of the time in which this process was busy; 0 to 1. */
  load: number;
}

/** Returns whether more requests failed than would at random; sooner if this many in flight were too much before. */
export function failsTooOften({ failures, count }: RequestWindow, pace: Pace): boolean {
  const [fewest, deviations] = isRetrying(pace) ? [FEWEST_REQUESTS, 3] : [FEWEST_REQUESTS * 2, 4];
  const expected = Math.max(count, fewest) * Math.max(USUAL_FAILURES, pace.idleFailures);
  return failures > expected + deviations * Math.sqrt(expected);
}

/**
 * Returns the pace after a window of requests: undefined if there are too few requests to decide; the same pace if nothing
 * changes. Allows fewer requests in flight if the responses took longer than without load, or if many failed; otherwise more,
 * if as many as allowed were in flight. A limit that was too much is not tried again for a while. If even single requests are
 * slow, the cause is not the load: their time becomes the time without load.
 */
export function nextLimit(pace: Pace, window: RequestWindow, { now, most, load }: Circumstances): Pace | undefined {
  const { limit } = pace;
  if (failsTooOften(window, pace)) {
    if (limit > 1) return lower(pace, isRetrying(pace) ? limit - 1 : limit / 2, now);
    return restart({ ...pace, idleFailures: window.failures / window.count }, now);
  }
  const { mean, error, count } = slowness(window, pace, latenessMs(load));
  if (count < Math.max(FEWEST_REQUESTS, Math.min(limit, ENOUGH_REQUESTS))) return undefined;
  if (mean - CERTAIN * error > TOLERANCE) {
    if (limit > 1) return lower(pace, limit / mean, now);
    return restart({ ...pace, idleMs: { ...pace.idleMs, ...usualTimes(window, 1) } }, now);
  }
  const isFast = mean + error < TOLERANCE;
  if (isFast && window.full * 2 >= window.count) {
    const raised = raise(pace, now, most);
    if (raised !== pace) return { ...raised, idleMs: { ...usualTimes(window, 1), ...pace.idleMs } };
  }
  if (count < ENOUGH_REQUESTS) return undefined;
  const idleFailures = Math.min(pace.idleFailures, window.failures / window.count);
  return { ...pace, idleMs: lowerTimes(window, pace), idleFailures };
}

/** Returns the pace with no more requests in flight than its rate needs, because more would only be sent sooner. */
export function limitForRate(pace: Pace, { tookMs }: RequestWindow, now: number): Pace {
  const times = [...tookMs.values()].flat();
  if (pace.perSecond === undefined || times.length === 0) return pace;
  const limit = Math.max(1, Math.ceil((pace.perSecond * average(times)) / 1000));
  if (limit >= pace.limit) return pace;
  return { ...pace, limit, limitTooMuch: holdBelow(limit + 1, pace.limitTooMuch, now) };
}

/** Whether the limit is at a value that was too much before. */
function isRetrying({ limit, limitTooMuch }: Pace): boolean {
  return limitTooMuch !== undefined && limit >= limitTooMuch.at;
}

function lower(pace: Pace, to: number, now: number): Pace {
  const limit = Math.max(1, Math.min(pace.limit - 1, Math.floor(to)));
  return { ...pace, limit, limitTooMuch: holdBelow(pace.limit, pace.limitTooMuch, now), changedAt: now };
}

/** Forgets the limit that was too much. */
function restart({ limitTooMuch, ...pace }: Pace, now: number): Pace {
  return { ...pace, changedAt: now };
}

function raise(pace: Pace, now: number, most: number): Pace {
  const { limit, limitTooMuch: tooMuch } = pace;
  if (!tooMuch) return limit < most ? { ...pace, limit: Math.min(most, limit * 2), changedAt: now } : pace;
  // The limit at which it was too much is no longer too much.
  if (limit >= tooMuch.at) return { ...pace, limitTooMuch: { ...tooMuch, at: limit + 1 }, changedAt: now };
  const mayRaise = limit < most && (limit + 1 < tooMuch.at || mayRetry(tooMuch, now));
  return mayRaise ? { ...pace, limit: limit + 1, changedAt: now } : pace;
}

/** How many times as long as without load the responses took, beyond a few ms, and the standard error of this ratio. */
function slowness({ tookMs }: RequestWindow, { idleMs }: Pace, slackMs: number) {
  const ratios = [...tookMs].flatMap(([operation, times]) => {
    const idle = Math.max(idleMs[operation] ?? average(times), SHORTEST_MS);
    const longest = median(times) * MOST_MEDIANS;
    return times.map((time) => Math.max(0, Math.min(time, longest) - slackMs) / idle);
  });
  return { mean: average(ratios), error: standardError(ratios, PRIOR), count: ratios.length };
}

function latenessMs(load: number): number {
  return load > BUSY ? Number.POSITIVE_INFINITY : SLACK_MS + LATE_MS * load ** 2;
}

/** The average time of each operation, plus this many standard errors. */
function usualTimes({ tookMs }: RequestWindow, errors: number): Record<string, number> {
  return Object.fromEntries(
    [...tookMs].map(([name, times]) => [name, rounded(average(times) + errors * standardError(times))]),
  );
}

/** The times without load, updated for operations that are new or faster than known. */
function lowerTimes(window: RequestWindow, { idleMs }: Pace): Pace['idleMs'] {
  const news = Object.entries(usualTimes(window, CERTAIN)).flatMap(([name, ms]) => {
    const known = idleMs[name];
    if (known === undefined) return [[name, ms]];
    return ms < known * 0.95 ? [[name, rounded(known - APPROACH * (known - ms))]] : [];
  });
  return news.length === 0 ? idleMs : { ...idleMs, ...Object.fromEntries(news) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** @param prior standard deviation to assume before any values */
function standardError(values: readonly number[], prior = 0): number {
  const middle = average(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, PRIOR_VALUES * prior ** 2);
  const count = Math.max(1, values.length);
  return Math.sqrt(squares / (prior > 0 ? count + PRIOR_VALUES : count) / count);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function rounded(ms: number): number {
  return Number(ms.toPrecision(3));
}
