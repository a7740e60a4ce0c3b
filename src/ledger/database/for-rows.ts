import type { SQLInputValue } from 'node:sqlite';
import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

interface RowOptions {
  isNarrow?: boolean;
}

type Row = Readonly<Record<string, string | number | null | undefined>>;

/**
 * Executes a statement that uses rows as a table, once: to be followed by `as` and a name. Undefined values are null.
 * @param rows with the same columns
 * @param statement has no other values than those of the rows
 * @param numbers the columns of integers; the others are text
 * @param options `isNarrow`: the rows have few and short columns, so that one document is quicker than a statement for each
 * @returns the result of the statement
 */
export type ForRows = typeof forRowsInPostgres;

/** A statement that is executed with each of several lists of values. */
export type RepeatedQuery<Result = unknown> = CompiledQuery<Result> & {
  repeatedWith?: ReadonlyArray<SQLInputValue[]>;
};

export async function forRowsInPostgres<Result>(
  transaction: QueryExecutorProvider,
  rows: readonly Row[],
  statement: (table: RawBuilder<unknown>) => RawBuilder<Result>,
  numbers: readonly string[] = [],
  _options: RowOptions = {},
): Promise<Result[]> {
  if (rows.length === 0) return [];
  const [first = {}] = rows;
  const columns = Object.keys(first).map(
    (name) => sql`${sql.ref(name)} ${sql.raw(numbers.includes(name) ? 'bigint' : 'text')}`,
  );
  const table = sql`(select * from json_to_recordset(cast(${JSON.stringify(rows)} as json)) as inline (${sql.join(columns)}))`;
  return (await statement(table).execute(transaction)).rows;
}

/** SQLite is in this process: a prepared statement for each row costs a third of a document of all rows, if these have many columns. */
export async function forRowsInSqlite<Result>(
  transaction: QueryExecutorProvider,
  rows: readonly Row[],
  statement: (table: RawBuilder<unknown>) => RawBuilder<Result>,
  _numbers: readonly string[] = [],
  { isNarrow = false }: RowOptions = {},
): Promise<Result[]> {
  const [first] = rows;
  if (!first) return [];
  const names = Object.keys(first);
  if (isNarrow) {
    const columns = names.map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
    const cells = JSON.stringify(rows.map((row) => names.map((name) => row[name])));
    const all = sql`(select ${sql.join(columns)} from json_each(${cells}) limit -1)`;
    return (await statement(all).execute(transaction)).rows;
  }
  const table = sql`(select ${sql.join(names.map((name) => sql`${first[name] ?? null} as ${sql.ref(name)}`))})`;
  const query: RepeatedQuery<Result> = {
    ...statement(table).compile(transaction),
    repeatedWith: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
  return (await transaction.getExecutor().executeQuery<Result>(query)).rows;
}
