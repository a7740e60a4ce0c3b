import type { Pace } from '../ledger/target/pace.ts';
import { holdBelow } from './pace.ts';
import type { RequestWindow } from './request-window.ts';

/** Responses that take so much longer than those of a target without load mean that requests wait there. */
const TOLERANCE = 1.2;
/** Timers, garbage collection and the network cause differences of so many ms. */
const SLACK_MS = 2;
/** One response counts at most as so many times the median: it may have waited for something else. */
const MOST_MEDIANS = 4;
/** Standard errors by which a mean is surely higher or lower than another value. */
const CERTAIN = 3.5;
/** Few times may be alike by chance, so they count as if so many with this deviation had been seen before. */
const PRIOR = 0.5;
const PRIOR_VALUES = 4;
/** How far the time without load approaches a lower one at once. */
const APPROACH = 0.2;
const FEWEST_REQUESTS = 4;
/** So many requests show how long they take without load, if that is less than was known. */
const ENOUGH_REQUESTS = 100;
/** Failures that say nothing about the load. */
const USUAL_FAILURES = 0.1;

/** Returns whether more failed than would at random; sooner if that was so before with as many in flight. */
export function failsTooOften({ failures, count }: RequestWindow, pace: Pace): boolean {
  const [fewest, deviations] = isRetrying(pace) ? [FEWEST_REQUESTS, 3] : [FEWEST_REQUESTS * 2, 4];
  const expected = Math.max(count, fewest) * Math.max(USUAL_FAILURES, pace.idleFailures);
  return failures > expected + deviations * Math.sqrt(expected);
}

/**
 * Returns the pace after a window of requests: undefined if they do not suffice to decide; the same one if nothing changes.
 * Fewer requests in flight if the responses took longer than those of a target without load, or if many failed; else more, if
 * as many as allowed were in flight. What is too much is not tried again for a while. If even single requests are slow, it is
 * not the load: then that is how long they take.
 * @param most requests in flight, at most
 */
export function nextLimit(pace: Pace, window: RequestWindow, now: number, most: number): Pace | undefined {
  const { limit } = pace;
  if (failsTooOften(window, pace)) {
    if (limit > 1) return lower(pace, isRetrying(pace) ? limit - 1 : limit / 2, now);
    return restart({ ...pace, idleFailures: window.failures / window.count }, now);
  }
  const { mean, error, count } = slowness(window, pace);
  if (count < Math.max(FEWEST_REQUESTS, Math.min(limit, ENOUGH_REQUESTS))) return undefined;
  if (mean.less - CERTAIN * error > TOLERANCE) {
    if (limit > 1) return lower(pace, limit / mean.whole, now);
    return restart({ ...pace, idleMs: { ...pace.idleMs, ...usualTimes(window, 1) } }, now);
  }
  const isFast = mean.less + error < TOLERANCE;
  if (isFast && window.full * 2 >= window.count) {
    const raised = raise(pace, now, most);
    if (raised !== pace) return { ...raised, idleMs: { ...usualTimes(window, 1), ...pace.idleMs } };
  }
  return count < ENOUGH_REQUESTS ? undefined : { ...pace, idleMs: lowerTimes(window, pace) };
}

/** Returns the pace with no more requests in flight than its rate needs: those would only be sent sooner. */
export function limitForRate(pace: Pace, { tookMs }: RequestWindow, now: number): Pace {
  const times = [...tookMs.values()].flat();
  if (pace.perSecond === undefined || times.length === 0) return pace;
  const limit = Math.max(1, Math.ceil((pace.perSecond * mean(times)) / 1000));
  if (limit >= pace.limit) return pace;
  return { ...pace, limit, limitTooMuch: holdBelow(limit + 1, pace.limitTooMuch, now) };
}

/** It is at a value that was too much before. */
function isRetrying({ limit, limitTooMuch }: Pace): boolean {
  return limitTooMuch !== undefined && limit >= limitTooMuch.at;
}

function lower(pace: Pace, to: number, now: number): Pace {
  const limit = Math.max(1, Math.min(pace.limit - 1, Math.floor(to)));
  return { ...pace, limit, limitTooMuch: holdBelow(pace.limit, pace.limitTooMuch, now), changedAt: now };
}

/** Forgets what was too much. */
function restart({ limitTooMuch, ...pace }: Pace, now: number): Pace {
  return { ...pace, changedAt: now };
}

function raise(pace: Pace, now: number, most: number): Pace {
  const { limit, limitTooMuch: tooMuch } = pace;
  if (!tooMuch) return limit < most ? { ...pace, limit: Math.min(most, limit * 2), changedAt: now } : pace;
  // No longer too much.
  if (limit >= tooMuch.at) return { ...pace, limitTooMuch: { ...tooMuch, at: limit + 1 }, changedAt: now };
  const mayRaise = limit < most && (limit + 1 < tooMuch.at || now >= tooMuch.until);
  return mayRaise ? { ...pace, limit: limit + 1, changedAt: now } : pace;
}

/** How many times as long as without load the responses took (`less`: without differences of a few ms), and its standard error. */
function slowness({ tookMs }: RequestWindow, { idleMs }: Pace) {
  const whole: number[] = [];
  const less: number[] = [];
  for (const [operation, times] of tookMs) {
    const idle = Math.max(idleMs[operation] ?? mean(times), 0.01);
    const longest = median(times) * MOST_MEDIANS;
    for (const time of times) {
      whole.push(Math.min(time, longest) / idle);
      less.push(Math.max(0, Math.min(time, longest) - SLACK_MS) / idle);
    }
  }
  return { mean: { whole: mean(whole), less: mean(less) }, error: standardError(less, PRIOR), count: less.length };
}

/** How long each operation takes, and so many standard errors more. */
function usualTimes({ tookMs }: RequestWindow, errors: number): Record<string, number> {
  return Object.fromEntries([...tookMs].map(([name, times]) => [name, rounded(mean(times) + errors * standardError(times))]));
}

/** The times without load, of operations that are new or take less time than was known. */
function lowerTimes(window: RequestWindow, { idleMs }: Pace): Pace['idleMs'] {
  const news = Object.entries(usualTimes(window, CERTAIN)).flatMap(([name, ms]) => {
    const known = idleMs[name];
    if (known === undefined) return [[name, ms]];
    return ms < known * 0.95 ? [[name, rounded(known - APPROACH * (known - ms))]] : [];
  });
  return news.length === 0 ? idleMs : { ...idleMs, ...Object.fromEntries(news) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** @param prior standard deviation of values before there are any */
function standardError(values: readonly number[], prior = 0): number {
  const middle = mean(values);
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
