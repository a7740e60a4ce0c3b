import { closest, distance } from 'fastest-levenshtein';
import { CodedError } from '../../src/core/errors.ts';

/**
 * The names of the columns, from the cells of a header row: trimmed, without empty ones at the end.
 * @throws CodedError FF_FEED_COLUMNS where a name is empty or stands twice: one column would hide the other.
 */
export function columnNames(header: readonly string[], location: string): string[] {
  const names = header.map((name) => name.trim());
  while (names.at(-1) === '') names.pop();
  if (names.length === 0) throw new CodedError('FF_FEED_COLUMNS', `${location}: the header row is empty.`);
  const empty = names.flatMap((name, index) => (name === '' ? [index + 1] : []));
  if (empty.length > 0) {
    throw new CodedError('FF_FEED_COLUMNS', `${location}: the header row has no name for column ${empty.join(', ')}.`);
  }
  const doubled = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (doubled.size > 0) {
    throw new CodedError('FF_FEED_COLUMNS', `${location}: the header row has ${list([...doubled])} more than once.`);
  }
  return names;
}

/** Whether every field that the sync reads has a column. `name` has one called so, or `name.first`, `name[0]`. */
export function hasColumns(columns: readonly string[], mapped: ReadonlySet<string>): boolean {
  return missingColumns(columns, mapped).length === 0;
}

/**
 * Refuses a feed that lacks a column the sync reads.
 * @throws CodedError FF_FEED_COLUMNS naming each missing column and the nearest one that is there.
 */
export function checkMappedColumns(columns: readonly string[], mapped: ReadonlySet<string>, location: string): void {
  const missing = missingColumns(columns, mapped);
  if (missing.length === 0) return;
  const told = missing.map((field) => `"${field}"${suggestion(field, columns)}`).join(', ');
  throw new CodedError('FF_FEED_COLUMNS', `${location} has no column ${told}. Its columns are ${list(columns)}.`);
}

function missingColumns(columns: readonly string[], mapped: ReadonlySet<string>): string[] {
  const has = (field: string) =>
    columns.some((name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`));
  return [...mapped].filter((field) => !has(field));
}

function suggestion(field: string, columns: readonly string[]): string {
  const near = closest(
    field.toLowerCase(),
    columns.map((name) => name.toLowerCase()),
  );
  const name = columns.find((column) => column.toLowerCase() === near);
  const isNear =
    name !== undefined && distance(field.toLowerCase(), near) <= Math.max(1, Math.round(field.length * 0.4));
  return isNear ? ` (did you mean "${name}"?)` : '';
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 30).map((name) => `"${name.slice(0, 60)}"`);
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
