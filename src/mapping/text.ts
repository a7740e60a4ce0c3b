import { inspect } from 'node:util';
import { clean } from '../core/clean.ts';
import { CodedError, type ErrorCode, messageOf } from '../core/errors.ts';

const longestShown = 100;

/** Formats a value for a message: on one line, at most 100 characters. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY, maxStringLength: longestShown }));
}

/** Runs a function. Any error that it throws becomes a CodedError with the given code and beginning. */
export function withCode<T>(code: ErrorCode, beginning: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new CodedError(code, `${beginning}: ${messageOf(error)}`, { cause: error });
  }
}

function shorten(text: string): string {
  return text.length > longestShown ? `${clean(text.slice(0, longestShown))}…` : text;
}
