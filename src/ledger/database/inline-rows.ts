import { type RawBuilder, sql } from 'kysely';

/** The columns of rows that go into a statement, and their types. */
export type InlineColumns<Column extends string> = Readonly<Record<Column, 'text' | 'bigint'>>;

/** Rows as a table within a statement: to be followed by `as` and a name. Absent values are null. */
export function inlineRows<Column extends string>(
  rows: ReadonlyArray<Partial<Record<Column, string | number | null>>>,
  columns: InlineColumns<Column>,
): RawBuilder<unknown> {
  const names = Object.keys(columns) as Column[];
  // Both databases call the columns of VALUES so; PostgreSQL wants the types of the first row.
  const named = names.map((name, index) => sql`${sql.ref(`column${index + 1}`)} as ${sql.ref(name)}`);
  const values = rows.map((row, index) => {
    const cells = names.map((name) => {
      const value = row[name] ?? null;
      return index === 0 ? cast(value, columns[name]) : sql`${value}`;
    });
    return sql`(${sql.join(cells)})`;
  });
  return sql`(select ${sql.join(named)} from (values ${sql.join(values)}) as inline)`;
}

function cast(value: string | number | null, type: 'text' | 'bigint'): RawBuilder<unknown> {
  return type === 'bigint' ? sql`cast(${value} as bigint)` : sql`cast(${value} as text)`;
}
