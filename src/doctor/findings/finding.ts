import type { Logger } from 'pino';
import type { Environment } from '../../app/environment.ts';
import { type ErrorCode, toCodedError } from '../../core/errors.ts';

/** What the checks work with. */
export interface Examination {
  environment: Environment;
  log: Logger;
  signal: AbortSignal;
}

/** The result of a check. It never contains secrets or values of records. */
export interface Finding {
  /** What was checked, and after a dot which part of it: "redis.eviction", "feed.staff". */
  check: string;
  /** `warning`: it works, but not as well or as safely as it could; `problem`: something does not work. */
  is: 'ok' | 'warning' | 'problem';
  message: string;
  /** The consequence. */
  follows?: string;
  /** What to do about it. */
  remedy?: string;
  /** The row of docs/errors.md, if it is one of those errors. */
  code?: ErrorCode;
}

/** One thing to check; its findings come as they are found. */
export interface Check {
  name: string;
  /** How long it may take, in ms. */
  withinMs: number;
  find(signal: AbortSignal): AsyncIterator<Finding>;
}

export function ok(check: string, message: string, follows?: string): Finding {
  return { check, is: 'ok', message, follows };
}

/** Returns what a check threw, as a finding. */
export function problemOf(check: string, error: unknown, follows?: string): Finding {
  const { code, message, remedy } = toCodedError(error);
  return { check, is: 'problem', message, follows, remedy, code };
}

/** A larger difference between two clocks is visible to people, in ms. */
const TOLERANCE_MS = 30_000;

/**
 * Compares another clock with this machine's.
 * @param whose "the CMS"
 * @param aheadMs how far it is ahead, in ms
 * @param follows the consequence of a difference
 */
export function clockFinding(check: string, whose: string, aheadMs: number, follows: string): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return ok(check, `The clocks of ${whose} and of this machine agree.`);
  const message = `The clock of ${whose} is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the clock of this machine.`;
  return { check, is: 'warning', message, follows, remedy: 'Synchronise both clocks with NTP.' };
}
