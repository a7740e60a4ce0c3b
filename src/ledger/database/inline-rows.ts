import { type RawBuilder, sql } from 'kysely';

type Cell = string | number | null | undefined;

/**
 * Rows as a table within a statement: to be followed by `as` and a name. Undefined values are null. All rows are one parameter,
 * so that the statement is the same for any number of them.
 * @param rows with the same columns of text
 */
export type InlineRows = <Row extends Record<keyof Row, Cell>>(rows: readonly Row[]) => RawBuilder<unknown>;

export const sqliteRows: InlineRows = (rows) => {
  const names = namesOf(rows);
  const columns = names.map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(columns)} from json_each(${JSON.stringify(rows.map((row) => names.map((name) => row[name])))}) limit -1)`;
};

/** @param numbers the columns of integers; the others are text */
export function postgresRows<Row extends Record<keyof Row, Cell>>(
  rows: readonly Row[],
  numbers: ReadonlyArray<keyof Row> = [],
): RawBuilder<unknown> {
  const columns = namesOf(rows).map(
    (name) => sql`${sql.ref(name)} ${sql.raw(numbers.includes(name) ? 'bigint' : 'text')}`,
  );
  return sql`(select * from json_to_recordset(cast(${JSON.stringify(rows)} as json)) as inline (${sql.join(columns)}))`;
}

function namesOf<Row extends object>(rows: readonly Row[]): Array<keyof Row & string> {
  return Object.keys(rows[0] ?? {}) as Array<keyof Row & string>;
}
