import { withTimeLimit } from '../time-limit.ts';
import { LONGEST_TEXT } from './result-size.ts';

type Native = (this: unknown, ...args: unknown[]) => unknown;

/** A function of JSONata, as the value of an expression that consists of its name. */
export interface NativeFunction {
  implementation: Native;
  signature: { definition: string };
}

/** Arguments beyond these run under a time limit, which costs too much for every call. */
const limits = { characters: 10_000, items: 1_000, number: 10_000 };

/** JSONata checks its limits between calls, so a single call of one of these functions may take minutes and all memory. */
export const boundedFunctions = [
  ...['string', 'substring', 'substringBefore', 'substringAfter', 'lowercase', 'uppercase', 'length', 'trim', 'pad'],
  ...['match', 'contains', 'replace', 'split', 'join', 'formatNumber', 'formatBase', 'formatInteger', 'parseInteger'],
  ...['number', 'toMillis', 'fromMillis', 'base64encode', 'base64decode', 'encodeUrl', 'encodeUrlComponent'],
  ...['decodeUrl', 'decodeUrlComponent', 'distinct', 'zip', 'reverse', 'append', 'spread', 'merge', 'keys', 'error'],
];

/** Returns a function with limits on the time of a call and on the texts that it takes and returns. */
export function bounded(name: string, { implementation }: NativeFunction, timeoutMs: () => number): Native {
  return function (...args) {
    for (const arg of args) checkLength(name, 'is given', arg);
    const call = () => implementation.apply(this, args);
    const result = args.some(mayTakeLong) ? withTimeLimit(call, timeoutMs()) : call();
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
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return;
  const { length } = value;
  throw new Error(
    `$${name}() ${verb} a text of ${count(length)} characters; the longest possible is ${count(LONGEST_TEXT)}`,
  );
}

/** The numbers in a picture are widths. Numbers up to 9,999 may be years. */
function mayTakeLong(arg: unknown, index: number): boolean {
  if (typeof arg === 'string') return arg.length > limits.characters || (index > 0 && /\d{5}/.test(arg));
  if (typeof arg === 'number') return index > 0 && Math.abs(arg) > limits.number;
  return Array.isArray(arg) && arg.length > limits.items;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
