import { CodedError } from '../core/errors.ts';
import { showValue } from './text.ts';

/** The yes/no words that need no rule. */
export const usualWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1', 'x', 'on'].map((word): [string, boolean] => [word, true]),
  ...['false', 'f', 'no', 'n', '0', 'off'].map((word): [string, boolean] => [word, false]),
]);

/**
 * Creates a reader of yes/no values that ignores case; the given words override the usual ones. The reader throws
 * CodedError FF_RECORD_VALUE for any other word.
 */
export function yesNoReader(yes: readonly string[] = [], no: readonly string[] = []): (value: unknown) => boolean {
  const words = new Map(usualWords);
  for (const word of yes) words.set(normalWord(word), true);
  for (const word of no) words.set(normalWord(word), false);
  return (value) => {
    if (typeof value === 'boolean') return value;
    const isWord = typeof value === 'string' || typeof value === 'number';
    const meaning = isWord ? words.get(normalWord(value)) : undefined;
    if (meaning === undefined) throw new CodedError('FF_RECORD_VALUE', `${showValue(value)} is neither true nor false`);
    return meaning;
  };
}

/** Returns a value as a word for comparisons; absent and null values as an empty one. */
export function normalWord(value: unknown): string {
  return String(value ?? '')
    .trim()
    .toLowerCase()
    .normalize('NFC');
}

/** What programs write for no value, in their own spelling: people called Null have a name. */
const ofPrograms =
  /^(?:NULL|null|[(<]null[)>]|NONE|None|nil|NaN|nan|NaT|<NA>|undefined|\[object Object\](?:, \[object Object\]){0,20}|#?N\/A|n\/a|\\N)$/;
const ofPeople = /^(?:t\.?b\.?[acd]\.?|to be (?:announced|advised|determined|confirmed|decided))$/i;
const LONGEST = 400;

/** Returns whether a text is a word of a program for no value. */
export function isNullWord(text: string): boolean {
  return ofPrograms.test(text);
}

/** Warns of a text that says only that there is no value, HTML aside. It is published, because it may be a name. */
export function warnOfNoValue(text: string, warn: (message: string, kind?: string) => void): void {
  if (text.length > LONGEST) return;
  const word = (/<[pd]/.test(text) ? text.replace(/<[^<>]*>/g, '') : text).trim();
  if (!ofPrograms.test(word) && !ofPeople.test(word)) return;
  const shown = JSON.stringify(word);
  const remedy = `To leave it out, add \`empty: [${shown}]\` to the rule`;
  warn(`${shown} is published as it is, although it says that there is no value. ${remedy}`, 'no value');
}
