import type { Pace } from '../ledger/target/pace.ts';
import { holdBelow, mayRetry } from './pace.ts';
import type { RequestWindow } from './request-window.ts';

/** Factors for a rate at which the target refused a request; the second is for when the first did not suffice. */
const MARGIN = 0.9;
const LARGE_MARGIN = 0.7;
/** If the target still refuses requests after this many reductions in a row, the rate is not the cause. */
const MOST_REDUCTIONS = 6;
const FUTILE_MS = 600_000;
const SMALL_STEP = 1.05;
const LARGE_STEP = 1.25;
const STEP_MS = 2_000;

/** How requests were sent before the target refused one (429). */
export interface BeforeRefusal {
  /** Number of requests accepted in the last second, over all processes. */
  accepted: number;
  /** How long requests were sent at this rate, in ms. */
  sendingMs: number;
}

/** Returns the pace after the target has refused a request: less than the target accepted in the second before. */
export function afterRefusal(pace: Pace, { accepted, sendingMs }: BeforeRefusal, now: number): Pace {
  const { perSecond: before, rateTooMuch, reductions = 0 } = pace;
  if (before === undefined) {
    const refused = Math.max(1, accepted);
    return { ...pace, perSecond: refused * MARGIN, rateTooMuch: holdBelow(refused, rateTooMuch, now), changedAt: now };
  }
  if (reductions >= MOST_REDUCTIONS)
    return { ...withoutRate(pace), limitTooMuch: undefined, unlimitedUntil: now + FUTILE_MS, changedAt: now };
  const measured = sendingMs < 1000 ? before : Math.min(before, Math.max(accepted, before / 2));
  return {
    ...pace,
    perSecond: Math.min(measured * MARGIN, before * (reductions > 0 ? LARGE_MARGIN : MARGIN)),
    rateTooMuch: holdBelow(before, rateTooMuch, now),
    reductions: reductions + 1,
    changedAt: now,
  };
}

/** Returns the pace after a window without refused requests: a higher rate after a while, if the present rate was used. */
export function nextRate(pace: Pace, { count, paced }: RequestWindow, now: number): Pace {
  const { perSecond, rateTooMuch: tooMuch } = pace;
  if (perSecond === undefined || !tooMuch) return pace;
  if (!mayRetry(tooMuch, now) && perSecond * SMALL_STEP > tooMuch.at * MARGIN) return pace;
  if (paced * 2 < count || Math.abs(now - pace.changedAt) < STEP_MS) return pace;
  if (perSecond > tooMuch.at * 2) return { ...withoutRate(pace), changedAt: now };
  const step = perSecond < tooMuch.at * 1.3 ? SMALL_STEP : LARGE_STEP;
  const reductions = mayRetry(tooMuch, now) ? 0 : pace.reductions;
  return { ...pace, perSecond: perSecond * step, reductions, changedAt: now };
}

function withoutRate({ perSecond, rateTooMuch, reductions, ...pace }: Pace): Pace {
  return pace;
}
