import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

type Cell = string | number | null | undefined;

/**
 * Executes a statement about rows that it uses as a table, once: to be followed by `as` and a name. Undefined values are null.
 * @param rows with the same columns
 * @param numbers the columns of integers; the others are text
 * @param statement has no other values than those of the rows
 * @returns what it returns
 */
export type ForRows = <Row extends Record<keyof Row, Cell>, Result>(
  transaction: QueryExecutorProvider,
  rows: readonly Row[],
  numbers: ReadonlyArray<keyof Row>,
  statement: (table: RawBuilder<unknown>) => RawBuilder<Result>,
) => Promise<Result[]>;

/** A statement that is executed with each of several lists of values. */
export type RepeatedQuery<Result = unknown> = CompiledQuery<Result> & { repeatedWith?: readonly Cell[][] };

/** SQLite is in this process: a prepared statement for each row costs less than to write and parse a document of them. */
export const forRowsInSqlite: ForRows = async (transaction, rows, _numbers, statement) => {
  const [first] = rows;
  if (!first) return [];
  const names = namesOf(first);
  const cellsOf = (row: typeof first) => names.map((name) => row[name] ?? null);
  const columns = cellsOf(first).map((cell, index) => sql`${cell} as ${sql.ref(names[index] as string)}`);
  const query: RepeatedQuery<never> = {
    ...statement(sql`(select ${sql.join(columns)})`).compile(transaction),
    repeatedWith: rows.map(cellsOf),
  };
  return (await transaction.getExecutor().executeQuery(query)).rows;
};

/** All rows are one parameter, so that the statement is the same for any number of them. */
export const forRowsInPostgres: ForRows = async (transaction, rows, numbers, statement) => {
  const [first] = rows;
  if (!first) return [];
  const columns = namesOf(first).map(
    (name) => sql`${sql.ref(name)} ${sql.raw(numbers.includes(name) ? 'bigint' : 'text')}`,
  );
  const table = sql`(select * from json_to_recordset(cast(${JSON.stringify(rows)} as json)) as inline (${sql.join(columns)}))`;
  return (await statement(table).execute(transaction)).rows;
};

function namesOf<Row extends object>(row: Row): Array<keyof Row & string> {
  return Object.keys(row) as Array<keyof Row & string>;
}
