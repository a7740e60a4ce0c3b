import { MissingFieldsError } from '../../src/core/connector.ts';
import { nearest } from '../../src/core/suggest.ts';
import { columnNames, listNames } from './column-names.ts';

/**
 * Reads the column names from the fields of a header row.
 * @throws MissingFieldsError if a name is empty or repeated, because one column would hide the other, or if mapped
 *   columns are missing, with the most similar ones that exist
 */
export function readHeader(header: readonly string[], mapped: ReadonlySet<string>, location: string): string[] {
  const columns = columnNames(header, mapped);
  const problem = headerProblem(columns, mapped);
  if (problem === undefined) return columns;
  throw new MissingFieldsError(`${location}${problem}.`, { missing: missingColumns(columns, mapped), names: columns });
}

/** Returns why a header row with these names does not fit, after the words for the row. Undefined: it does. */
export function headerProblem(columns: readonly string[], mapped: ReadonlySet<string>): string | undefined {
  if (columns.length === 0) return ': the header row is empty';
  const empty = columns.flatMap((name, index) => (name === '' ? [index + 1] : []));
  if (empty.length > 0) return `: the header row has no name for column ${empty.join(', ')}`;
  const repeated = new Set(columns.filter((name, index) => columns.indexOf(name) !== index));
  if (repeated.size > 0) return `: the header row has ${listNames([...repeated])} more than once`;
  const missing = missingColumns(columns, mapped).map((field) => {
    const similar = nearest(field, columns);
    return similar === undefined ? `"${field}"` : `"${field}" (did you mean "${similar}"?)`;
  });
  if (missing.length === 0) return undefined;
  return ` has no column ${missing.join(', ')}. Its columns are ${listNames(columns)}${delimiterHint(columns)}`;
}

/** All columns appear as one if they are separated by another character. */
function delimiterHint([only = '', ...others]: readonly string[]): string {
  const [delimiter] = others.length === 0 ? (/[;,|\t]/.exec(only) ?? []) : [];
  return delimiter === undefined
    ? ''
    : `; if these are several, write delimiter: ${JSON.stringify(delimiter)} under source`;
}

/** Finds the mapped fields without a column. The field `name` may be a column of that name, `name.first` or `name[0]`. */
export function missingColumns(columns: readonly string[], mapped: ReadonlySet<string>): string[] {
  const has = (field: string) =>
    columns.some((name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`));
  return [...mapped].filter((field) => !has(field));
}
