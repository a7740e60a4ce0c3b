import { inspect } from 'node:util';

const longestShown = 100;

/** Whether a text holds what databases refuse: NUL, or half of a surrogate pair. */
export function isUnclean(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** The text without NUL and lone surrogates. */
export function clean(text: string): string {
  return isUnclean(text) ? text.replace(/\0|\p{Surrogate}/gu, '') : text;
}

/** A value as a message may show it: on one line, at most 100 characters. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY, maxStringLength: longestShown }));
}

function shorten(text: string): string {
  return text.length > longestShown ? `${clean(text.slice(0, longestShown))}…` : text;
}
