import type { SQLInputValue } from 'node:sqlite';
import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { postgresRows } from './inline-rows.ts';

type Row = Readonly<Record<string, string | number | null | undefined>>;

/**
 * Executes a statement that uses rows as a table, once: to be followed by `as` and a name. Undefined values are null.
 * @param rows with the same columns
 * @param statement has no other values than those of the rows
 * @param numbers the columns of integers; the others are text
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
): Promise<Result[]> {
  if (rows.length === 0) return [];
  return (await statement(postgresRows(rows, numbers)).execute(transaction)).rows;
}

/** SQLite is in this process: a prepared statement for each row costs less than to write and parse a document of all rows. */
export async function forRowsInSqlite<Result>(
  transaction: QueryExecutorProvider,
  rows: readonly Row[],
  statement: (table: RawBuilder<unknown>) => RawBuilder<Result>,
): Promise<Result[]> {
  const [first] = rows;
  if (!first) return [];
  const names = Object.keys(first);
  const table = sql`(select ${sql.join(names.map((name) => sql`${first[name] ?? null} as ${sql.ref(name)}`))})`;
  const query: RepeatedQuery<Result> = {
    ...statement(table).compile(transaction),
    repeatedWith: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
  return (await transaction.getExecutor().executeQuery<Result>(query)).rows;
}
