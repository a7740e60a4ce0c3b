import { setFlagsFromString } from 'node:v8';
import type { Condition } from '../config/types.ts';
import { hasNoValue } from './coerce.ts';
import { compilePath, type Fields } from './path.ts';
import { showValue, withCode } from './text.ts';
import { normalWord } from './words.ts';

/** The result of a condition for one record, with the values that decide it. */
interface Judgement {
  holds: boolean;
  because: () => string;
}

type Check = (fields: Fields) => Judgement;

/**
 * Compiles the `when` of a sync to a function that returns why a record is skipped; undefined if the record is not skipped.
 * The function throws CodedError FF_RECORD_PATTERN if a regular expression takes too long for a value.
 */
export function compileCondition(condition: Condition | undefined): (fields: Fields) => string | undefined {
  if (!condition) return () => undefined;
  const check = compileCheck(condition);
  return (fields) => {
    const { holds, because } = check(fields);
    return holds ? undefined : `when: ${because()}`;
  };
}

/** All keys of a condition must hold. */
function compileCheck({ all = [], any, not, ...rest }: Condition): Check {
  const isNested = typeof not === 'object' && !Array.isArray(not);
  const checks = [
    ...(rest.field === undefined ? [] : [ofField(rest.field, { ...rest, not: isNested ? undefined : not })]),
    ...all.map(compileCheck),
    ...(any ? [anyOf(any.map(compileCheck))] : []),
    ...(isNested ? [negated(compileCheck(not))] : []),
  ];
  return (fields) => combined(checks, fields, false);
}

function anyOf(checks: readonly Check[]): Check {
  return (fields) => combined(checks, fields, true);
}

/** Returns the first judgement that decides, or else that of all of them. @param deciding whether one that holds decides */
function combined(checks: readonly Check[], fields: Fields, deciding: boolean): Judgement {
  const judgements: Judgement[] = [];
  for (const check of checks) {
    const judgement = check(fields);
    if (judgement.holds === deciding) return judgement;
    judgements.push(judgement);
  }
  return { holds: !deciding, because: () => judgements.map(({ because }) => because()).join(', ') };
}

function negated(check: Check): Check {
  return (fields) => {
    const { holds, because } = check(fields);
    return { holds: !holds, because };
  };
}

interface FieldTests extends Omit<Condition, 'all' | 'any' | 'not'> {
  not?: readonly string[] | undefined;
}

/** Of a list, one item is enough for each test; for `not`, none may be one of the words. */
function ofField(field: string, { is, not, equals, matches, bit, present }: FieldTests): Check {
  const read = compilePath(field);
  const wanted = is && new Set(is.map(normalWord));
  const unwanted = not && new Set(not.map(normalWord));
  const isMatch = matches === undefined ? undefined : matcher(`field "${field}"`, matches);
  const tests: Array<(items: readonly unknown[]) => boolean> = [
    ...(wanted ? [some((item) => wanted.has(normalWord(item)))] : []),
    ...(unwanted ? [(items: readonly unknown[]) => !items.some((item) => unwanted.has(normalWord(item)))] : []),
    ...(equals === undefined ? [] : [some((item) => String(item ?? '') === String(equals))]),
    ...(isMatch ? [some((item) => isMatch(String(item ?? '')))] : []),
    ...(bit === undefined ? [] : [some((item) => hasBits(item, BigInt(bit)))]),
  ];
  return (fields) => {
    const value = read(fields);
    const has = !hasNoValue(value);
    const items = Array.isArray(value) ? value : [value];
    const shown = () => (has ? `is ${showValue(value)}` : present === undefined ? 'is empty' : 'has no value');
    const holds = (present === undefined || has === present) && tests.every((test) => test(items));
    return { holds, because: () => `${field} ${shown()}` };
  };
}

function some(test: (item: unknown) => boolean): (items: readonly unknown[]) => boolean {
  return (items) => items.some(test);
}

/**
 * Compiles a regular expression of the config.
 * @param place where it is written, for the error
 * @throws CodedError FF_RECORD_PATTERN (the returned function) if it takes too long for a text
 */
export function matcher(place: string, source: string): (text: string) => boolean {
  const find = countedPattern(source, 'iu');
  return (text) =>
    withCode('FF_RECORD_PATTERN', `the regular expression ${showValue(source)} failed (${place})`, () => find(text));
}

/** Negative numbers are those of 32 or 64 bits whose highest bit is set, as directories write them. */
function hasBits(value: unknown, bits: bigint): boolean {
  const text = String(value ?? '').trim();
  return /^-?\d{1,20}$/.test(text) && (BigInt(text) & bits) === bits;
}

/** Backtracks at most for one text: about a tenth of a second, and enough for a plain word in a text of millions of characters. */
const MOST_BACKTRACKS = 10_000_000;

/**
 * Returns a function that looks for a regular expression of the config in a text. It counts the backtracks of the engine, so the
 * same text always has the same result, however slow the machine is.
 * @throws Error (the returned function) if a text needs too many
 */
function countedPattern(source: string, flags: string): (text: string) => boolean {
  // The engine also finds nothing if it ends early. The last alternative matches the end of any text, and sets the last group.
  const pattern = withLimit(`(?:${source})|$(?![^])()`, flags);
  return (text) => {
    const match = pattern.exec(text);
    if (match) return match.at(-1) === undefined;
    throw new Error(`it takes longer than ${MOST_BACKTRACKS.toLocaleString('en')} steps`);
  };
}

/** V8 offers no limit but by a function of its own syntax, which is switched off again at once. */
function withLimit(source: string, flags: string): RegExp {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const create = new Function('source', 'flags', 'most', 'return %NewRegExpWithBacktrackLimit(source, flags, most)');
    return create(source, flags, MOST_BACKTRACKS);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
