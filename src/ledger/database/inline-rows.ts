import { type RawBuilder, sql } from 'kysely';

type Cell = string | number | null | undefined;

/**
 * Rows as a table within a statement: to be followed by `as` and a name. Undefined values are null.
 * @param rows with the same columns
 * @param numbers the columns of numbers; the others are text
 */
export function inlineRows<Row extends Record<keyof Row, Cell>>(
  rows: readonly Row[],
  numbers: ReadonlyArray<keyof Row>,
): RawBuilder<unknown> {
  const names = Object.keys(rows[0] ?? {}) as Array<keyof Row & string>;
  // Both databases call the columns of VALUES so; PostgreSQL wants the types of the first row.
  const named = names.map((name, index) => sql`${sql.ref(`column${index + 1}`)} as ${sql.ref(name)}`);
  const values = rows.map((row, index) => {
    const cells = names.map((name) => {
      const value: Cell = row[name] ?? null;
      if (index > 0) return sql`${value}`;
      return numbers.includes(name) ? sql`cast(${value} as bigint)` : sql`cast(${value} as text)`;
    });
    return sql`(${sql.join(cells)})`;
  });
  return sql`(select ${sql.join(named)} from (values ${sql.join(values)}) as inline)`;
}
