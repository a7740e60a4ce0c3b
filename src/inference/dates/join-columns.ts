import { type Column, textsOf } from '../columns/columns.ts';
import { liquidPath } from './date-ranges.ts';

/** Joins several fields to one text; a record that lacks one of them has none. */
export function joinColumns(columns: readonly Column[], separator: string): { column: Column; template: string } {
  const values = (columns[0]?.values ?? []).map((_, index) => {
    const texts = columns.map(({ values }) => textsOf(values[index])[0]);
    return texts.includes(undefined) ? undefined : texts.join(separator);
  });
  const texts = values.filter((value) => value !== undefined);
  const names = columns.flatMap((column) => column.names);
  const column = {
    path: names.join(separator),
    names,
    values,
    texts,
    filled: texts.length,
    placeholders: [],
    isList: false,
  };
  return { column, template: columns.map((one) => `{{ ${liquidPath(one)} }}`).join(separator) };
}
