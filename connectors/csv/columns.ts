import { closest, distance } from 'fastest-levenshtein';
import { CodedError } from '../../src/core/errors.ts';

/**
 * The names of the columns, from the cells of a header row: trimmed, without empty ones at the end.
 * @throws CodedError FF_FEED_COLUMNS where a name is empty or stands twice: one column would hide the other.
 */
export function columnsOf(header: readonly string[], location: string): string[] {
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

/**
 * Refuses a feed that lacks a column the sync reads. `name` is there if a column is called so, or `name.first`, `name[0]`.
 * @throws CodedError FF_FEED_COLUMNS naming each missing column and the nearest one that is there.
 */
export function checkMappedColumns(columns: readonly string[], mapped: ReadonlySet<string>, location: string): void {
  const has = (field: string) =>
    columns.some((name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`));
  const missing = [...mapped].filter((field) => !has(field));
  if (missing.length === 0) return;
  const told = missing.map((field) => `"${field}"${suggestion(field, columns)}`).join(', ');
  throw new CodedError('FF_FEED_COLUMNS', `${location} has no column ${told}. Its columns are ${list(columns)}.`);
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
