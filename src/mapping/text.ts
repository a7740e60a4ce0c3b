import { inspect } from 'node:util';
import { clean } from '../core/clean.ts';

const longestShown = 100;

/** A value as a message may show it: on one line, at most 100 characters. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY, maxStringLength: longestShown }));
}

function shorten(text: string): string {
  return text.length > longestShown ? `${clean(text.slice(0, longestShown))}…` : text;
}
