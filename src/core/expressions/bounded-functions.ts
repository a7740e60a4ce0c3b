import { LONGEST_TEXT } from './result-size.ts';

type Native = (this: unknown, ...args: unknown[]) => unknown;

/** A function of JSONata, as the value of an expression that consists of its name. */
export interface NativeFunction {
  implementation: Native;
  signature: { definition: string };
}

/** `$distinct` compares each item with all others. */
const MOST_COMPARED = 5_000;

/** The evaluation counts its steps between calls, so a single call of one of these functions might take minutes and all memory. */
export const boundedFunctions = [
  ...['string', 'substring', 'substringBefore', 'substringAfter', 'lowercase', 'uppercase', 'length', 'trim', 'pad'],
  ...['match', 'contains', 'replace', 'split', 'join', 'formatNumber', 'formatBase', 'formatInteger', 'parseInteger'],
  ...['number', 'toMillis', 'fromMillis', 'base64encode', 'base64decode', 'encodeUrl', 'encodeUrlComponent'],
  ...['decodeUrl', 'decodeUrlComponent', 'distinct', 'zip', 'reverse', 'append', 'spread', 'merge', 'keys', 'error'],
];

/** Returns a function with limits on the texts and lists that it takes and on the texts that it returns. */
export function bounded(name: string, { implementation }: NativeFunction): Native {
  return function (...args) {
    const [list, width] = args;
    for (const arg of args) checkLength(name, 'is given', arg);
    if (name === 'pad') checkWidth(width);
    if (name === 'distinct') checkCompared(list);
    const result = implementation.apply(this, args);
    checkLength(name, 'makes', result);
    return result;
  };
}

/**
 * Returns a `$sort` that sorts numbers and texts at once. The original copies the rest of the list at each step, and checks no
 * limit while it does so without an own comparison.
 */
export function boundedSort({ implementation }: NativeFunction): Native {
  return function (list, comparison) {
    const isPlain = comparison === undefined && Array.isArray(list);
    if (!isPlain || !(isListOf('number', list) || isListOf('string', list))) {
      return implementation.call(this, list, comparison);
    }
    return list.toSorted((left, right) => (left > right ? 1 : left < right ? -1 : 0));
  };
}

function isListOf(type: 'number' | 'string', list: readonly unknown[]): list is Array<number | string> {
  return list.every((item) => typeof item === type);
}

function checkLength(name: string, verb: string, value: unknown): void {
  if (typeof value === 'string') checkCharacters(name, verb, value.length);
}

function checkWidth(width: unknown): void {
  if (typeof width === 'number') checkCharacters('pad', 'makes', Math.abs(width));
}

function checkCharacters(name: string, verb: string, length: number): void {
  if (length <= LONGEST_TEXT) return;
  throw new Error(
    `$${name}() ${verb} a text of ${count(length)} characters; the longest possible is ${count(LONGEST_TEXT)}`,
  );
}

function checkCompared(list: unknown): void {
  if (!Array.isArray(list) || list.length <= MOST_COMPARED) return;
  throw new Error(
    `$distinct() is given a list of ${count(list.length)} items; at most ${count(MOST_COMPARED)} are possible`,
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}
