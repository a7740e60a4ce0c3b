import type { Column } from '../columns/columns.ts';
import type { DateColumn } from './date-column.ts';
import { datesOf } from './read-column.ts';

/** Two dates or times in one value: `19:00 - 21:00`. */
export interface DateRange {
  first: DateColumn;
  last: DateColumn;
  /** Liquid templates of both. */
  templates: { first: string; last: string };
}

const separators = [
  ' - ',
  ' – ',
  ' — ',
  ' to ',
  ' bis ',
  ' until ',
  ' au ',
  ' à ',
  ' al ',
  ' a ',
  ' t/m ',
  ' tot ',
  '–',
  '—',
  '-',
  '/',
];
const LEAST_SHARE = 0.3;

/** Reads a column as ranges of dates or times; undefined if fewer than this share of its values are. */
export function rangeOf(column: Column, leastShare = LEAST_SHARE): DateRange | undefined {
  if (column.isList || column.texts.length === 0) return undefined;
  for (const separator of separators) {
    const parts = column.values.map((value) => partsOf(value, separator));
    const split = parts.filter((one) => one.length === 2);
    if (split.length === 0 || split.length < column.filled * leastShare || parts.some((one) => one.length > 2))
      continue;
    // "7:30 - 9:00 pm" leaves open whether 7:30 is in the morning.
    if (split.some(([first = '', last = '']) => hasHalf(last) !== hasHalf(first))) return undefined;
    const [first, last] = [datesOf(part(column, parts, 0)), datesOf(part(column, parts, -1))];
    if (first === undefined || last === undefined || first.is !== last.is || first.fits < first.of * 0.9) continue;
    const path = liquidPath(column);
    const template = (end: string) => `{{ ${path} | split: "${separator}" | ${end} | strip }}`;
    return { first, last, templates: { first: template('first'), last: template('last') } };
  }
  return undefined;
}

/** Writes the path of a column as Liquid reads it. */
export function liquidPath({ path, names }: Column): string {
  const [first = ''] = names;
  return /^[A-Za-z_][\w-]*$/.test(first) ? path : `["${first}"]${path.slice(first.length)}`;
}

function partsOf(value: unknown, separator: string): string[] {
  return typeof value === 'string' && value.trim() !== '' ? value.split(separator).map((text) => text.trim()) : [];
}

function hasHalf(text: string): boolean {
  return /\d\s*[ap]\.?m\.?$/i.test(text);
}

function part(column: Column, parts: string[][], index: number): Column {
  const values = parts.map((one) => one.at(index));
  return { ...column, values, texts: values.filter((text) => text !== undefined), filled: column.filled };
}
