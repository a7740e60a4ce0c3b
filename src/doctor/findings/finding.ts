import { type ErrorCode, toCodedError } from '../../core/errors.ts';

/** What a check has found. Secrets and values of records are never in it. */
export interface Finding {
  /** What was looked at, and after a dot what of it: "redis.eviction", "feed.staff". */
  check: string;
  /** `warning`: it works, but not as well or as safely as it could; `problem`: something does not work. */
  is: 'ok' | 'warning' | 'problem';
  message: string;
  /** What comes of it. */
  follows?: string;
  /** What to do about it. */
  remedy?: string;
  /** The row of docs/errors.md, where it is one of those errors. */
  code?: ErrorCode;
}

/** One thing to look at; its findings come as they are found. */
export interface Check {
  name: string;
  /** How long it may take, in ms. */
  withinMs: number;
  find(signal: AbortSignal): AsyncIterator<Finding>;
}

/** What was thrown while something was looked at, as a finding. */
export function problemOf(check: string, error: unknown, follows?: string): Finding {
  const { code, message, remedy } = toCodedError(error);
  return { check, is: 'problem', message, ...(follows ? { follows } : {}), remedy, code };
}
