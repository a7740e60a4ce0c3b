import { holdBelow, type Pace } from './pace.ts';
import type { RequestWindow } from './request-window.ts';

/** Below the rate at which the target refused a request. */
const MARGIN = 0.9;
/** If a rate was fine for so long, it is hardly the cause of a refusal. */
const LONG_MS = 10_000;
/** If the target still refuses requests after so many reductions in a row, it does not refuse them because of the rate. */
const MOST_REDUCTIONS = 5;
const FUTILE_MS = 600_000;
const SMALL_STEP = 1.05;
const LARGE_STEP = 1.25;
const STEP_MS = 2_000;

/** How requests were sent before one was refused (429). */
export interface BeforeRefusal {
  /** Accepted in the last second, over all processes. */
  accepted: number;
  /** How long requests were sent at this rate, in ms. */
  sendingMs: number;
}

/** Returns the pace after the target has refused a request: less than it accepted in the second before. */
export function afterRefusal(pace: Pace, { accepted, sendingMs }: BeforeRefusal, now: number): Pace {
  const { perSecond: before, rateTooMuch, reductions = 0, unlimitedUntil = 0 } = pace;
  if (now < unlimitedUntil) return pace;
  if (before === undefined) {
    const refused = Math.max(1, accepted);
    return { ...pace, perSecond: refused * MARGIN, rateTooMuch: holdBelow(refused, rateTooMuch, now), changedAt: now };
  }
  if (sendingMs > LONG_MS) return { ...pace, perSecond: before / SMALL_STEP, changedAt: now };
  if (reductions >= MOST_REDUCTIONS) return { ...withoutRate(pace), unlimitedUntil: now + FUTILE_MS, changedAt: now };
  const measured = sendingMs < 1000 ? before : Math.min(before, Math.max(accepted, before / 2));
  return {
    ...pace,
    perSecond: measured * MARGIN,
    rateTooMuch: holdBelow(before, rateTooMuch, now),
    reductions: reductions + 1,
    changedAt: now,
  };
}

/** Returns the pace after a window in which no request was refused: a higher rate after a while, if it was used. */
export function nextRate(pace: Pace, { count, paced }: RequestWindow, now: number): Pace {
  const { perSecond, rateTooMuch: tooMuch } = pace;
  if (perSecond === undefined || !tooMuch || now < tooMuch.until) return pace;
  if (paced * 2 < count || now - pace.changedAt < STEP_MS) return pace;
  if (perSecond > tooMuch.at * 2) return { ...withoutRate(pace), changedAt: now };
  const step = perSecond < tooMuch.at * 1.3 ? SMALL_STEP : LARGE_STEP;
  return { ...pace, perSecond: perSecond * step, reductions: 0, changedAt: now };
}

function withoutRate({ perSecond, rateTooMuch, reductions, ...pace }: Pace): Pace {
  return pace;
}
