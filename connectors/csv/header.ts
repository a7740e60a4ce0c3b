import { CodedError } from '../../src/core/errors.ts';
import { nearest } from '../../src/core/suggest.ts';

/**
 * Reads the column names from the fields of a header row: trimmed, without empty ones at the end.
 * @throws CodedError FF_FEED_COLUMNS if a name is empty or repeated: one column would hide the other
 */
export function columnNames(header: readonly string[], location: string): string[] {
  const names = header.map((name) => name.trim());
  while (names.at(-1) === '') names.pop();
  if (names.length === 0) throw new CodedError('FF_FEED_COLUMNS', `${location}: the header row is empty.`);
  const empty = names.flatMap((name, index) => (name === '' ? [index + 1] : []));
  if (empty.length > 0) {
    throw new CodedError('FF_FEED_COLUMNS', `${location}: the header row has no name for column ${empty.join(', ')}.`);
  }
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (repeated.size > 0) {
    throw new CodedError('FF_FEED_COLUMNS', `${location}: the header row has ${list([...repeated])} more than once.`);
  }
  return names;
}

/** Returns true if every mapped field has a column. The field `name` may be a column of that name, `name.first` or `name[0]`. */
export function hasColumns(columns: readonly string[], mapped: ReadonlySet<string>): boolean {
  return missingColumns(columns, mapped).length === 0;
}

/** @throws CodedError FF_FEED_COLUMNS with each missing column and the most similar one that exists */
export function checkMappedColumns(columns: readonly string[], mapped: ReadonlySet<string>, location: string): void {
  const missing = missingColumns(columns, mapped).map((field) => {
    const similar = nearest(field, columns);
    return similar === undefined ? `"${field}"` : `"${field}" (did you mean "${similar}"?)`;
  });
  if (missing.length === 0) return;
  const message = `${location} has no column ${missing.join(', ')}. Its columns are ${list(columns)}.`;
  throw new CodedError('FF_FEED_COLUMNS', message);
}

function missingColumns(columns: readonly string[], mapped: ReadonlySet<string>): string[] {
  const has = (field: string) =>
    columns.some((name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`));
  return [...mapped].filter((field) => !has(field));
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 30).map((name) => `"${name.slice(0, 60)}"`);
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
