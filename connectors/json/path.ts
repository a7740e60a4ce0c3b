import { z } from 'zod';
import type { ValueKeys } from '../../src/core/paging/names.ts';

/** One step into a JSON document: a member, an item, every item of a list, every child, or any number of levels. */
export type Step = { member: string } | { index: number } | { every: 'item' | 'child' } | { descend: true };

/** Keys that lead to a value. */
export type Keys = ValueKeys;

const segments: Array<[pattern: RegExp, toStep: (match: RegExpExecArray) => Step]> = [
  [/^\.\.(?=[^.])/, () => ({ descend: true })],
  [/^\[\*\]/, () => ({ every: 'item' })],
  [/^\.\*/, () => ({ every: 'child' })],
  [/^\[(0|[1-9]\d*)\]/, ([, index]) => ({ index: Number(index) })],
  [/^\[\s*'((?:[^'\\]|\\.)*)'\s*\]/s, ([, name = '']) => ({ member: unescapeName(name) })],
  [/^\[\s*"((?:[^"\\]|\\.)*)"\s*\]/s, ([, name = '']) => ({ member: unescapeName(name) })],
  [/^\.([^.[\]$*?@()'"]+)/, ([, name = '']) => ({ member: name })],
];

/**
 * Parses a path: the part of JSONPath (RFC 9535) that can be followed while a document streams, or a dotted path. Supports
 * `$`, names, `['quoted names']`, indexes from 0, `[*]` (every item of a list), `.*` (every child) and `..`.
 * @returns the steps, or the part that was not understood
 */
export function parsePath(path: string): { steps: Step[] } | { unknown: string } {
  const steps: Step[] = [];
  let rest = path.trim().replace(/^\$/, '');
  // A dotted path starts with a name, and so does what follows "..".
  if (/^[^.[]/.test(rest)) rest = `.${rest}`;
  while (rest !== '') {
    const parsed = parseSegment(rest);
    if (parsed === undefined) return { unknown: rest };
    steps.push(parsed.step);
    rest = rest.slice(parsed.length);
    if ('descend' in parsed.step && !rest.startsWith('[')) rest = `.${rest}`;
  }
  return { steps };
}

function parseSegment(text: string): { step: Step; length: number } | undefined {
  for (const [pattern, toStep] of segments) {
    const match = pattern.exec(text);
    if (match) return { step: toStep(match), length: match[0].length };
  }
  return undefined;
}

function unescapeName(name: string): string {
  return name.replace(/\\(.)/gs, '$1');
}

/** A path in a sync file. */
export const pathSchema = z
  .string()
  .min(1)
  .superRefine((path, context) => {
    const parsed = parsePath(path);
    if ('steps' in parsed) return;
    const supported = "names, ['quoted names'], indexes, [*], .* and ..";
    context.addIssue(`has "${parsed.unknown}", which cannot be followed while the document streams; use ${supported}`);
  });

/** Returns the steps of a path that `pathSchema` has checked. */
export function stepsOf(path: string): readonly Step[] {
  const parsed = parsePath(path);
  if ('steps' in parsed) return parsed.steps;
  throw new Error(`the path "${path}" was not checked`);
}

/** Returns true if the keys that lead to a value match the steps. */
export function matches(steps: readonly Step[], keys: Keys, fromStep = 0, fromKey = 0): boolean {
  const step = steps[fromStep];
  const key = keys[fromKey];
  if (step === undefined) return key === undefined;
  if ('descend' in step && matches(steps, keys, fromStep + 1, fromKey)) return true;
  if (key === undefined) return false;
  if ('descend' in step) return matches(steps, keys, fromStep, fromKey + 1);
  return accepts(step, key) && matches(steps, keys, fromStep + 1, fromKey + 1);
}

function accepts(step: Exclude<Step, { descend: true }>, key: string | number): boolean {
  if ('member' in step) return key === step.member;
  if ('index' in step) return key === step.index;
  return step.every === 'child' || typeof key === 'number';
}

/** Formats keys for people: `$.people[4]`, `$['odd name']`. */
export function formatPath(keys: Keys): string {
  return `$${keys.map(formatKey).join('')}`;
}

export function formatKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `.${key}` : `['${key.slice(0, 100).replace(/\p{Cc}/gu, '?')}']`;
}

/** Formats steps as a path. */
export function formatSteps(steps: readonly Step[]): string {
  return `$${steps.map(formatStep).join('')}`.replace('...', '..');
}

function formatStep(step: Step): string {
  if ('descend' in step) return '..';
  if ('every' in step) return step.every === 'item' ? '[*]' : '.*';
  return formatKey('member' in step ? step.member : step.index);
}
