import type { Logger } from 'pino';
import type { Environment } from '../../app/environment.ts';
import { type ErrorCode, toCodedError } from '../../core/errors.ts';

/** Environment, log and signal of the checks. */
export interface Examination {
  environment: Environment;
  log: Logger;
  signal: AbortSignal;
}

/** A result of a check. A finding never contains secrets or values of records. */
export interface Finding {
  /** The thing that was checked, and after a dot its part: "redis.eviction", "feed.staff". */
  check: string;
  /** `warning`: feedferry works, but not as well or as safely as it could; `problem`: something does not work. */
  is: 'ok' | 'warning' | 'problem';
  message: string;
  /** The consequence of the finding. */
  follows?: string;
  /** What to do about the finding. */
  remedy?: string;
  /** The error code, if the finding is an error in docs/errors.md. */
  code?: ErrorCode;
}

/** One check, which yields each finding at once. */
export interface Check {
  name: string;
  /** What may not respond, for messages. */
  asks: string;
  /** How long the check may take, in ms. */
  withinMs: number;
  find(signal: AbortSignal): AsyncIterator<Finding>;
}

export function ok(check: string, message: string, follows?: string): Finding {
  return { check, is: 'ok', message, follows };
}

/** Returns the error of a check as a finding. */
export function problemOf(check: string, error: unknown, follows?: string): Finding {
  const { code, message, remedy } = toCodedError(error);
  return { check, is: 'problem', message, follows, remedy, code };
}

/** Largest difference between two clocks that people do not notice, in ms. */
const TOLERANCE_MS = 30_000;

/**
 * Compares another clock with the clock of this machine.
 * @param whose owner of the other clock, such as "the CMS"
 * @param aheadMs how far the other clock is ahead, in ms
 * @param follows the consequence of a difference
 */
export function clockFinding(check: string, whose: string, aheadMs: number, follows: string): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return ok(check, `The clocks of ${whose} and of this machine agree.`);
  const message = `The clock of ${whose} is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the clock of this machine.`;
  return { check, is: 'warning', message, follows, remedy: 'Synchronise both clocks with NTP.' };
}
