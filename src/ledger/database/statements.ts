import { type QueryExecutorProvider, sql } from 'kysely';

// The ledger's statements are SQL as text: all<Row>(db)`select …`. Values are passed as parameters, and parts of statements (RawBuilder)
// become part of the text.

type Statement<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Returns the rows of a statement. */
export function all<Row>(db: QueryExecutorProvider): Statement<Row[]> {
  return async (...statement) => (await sql<Row>(...statement).execute(db)).rows;
}

/** Returns the first row of a statement. */
export function one<Row>(db: QueryExecutorProvider): Statement<Row | undefined> {
  return async (...statement) => (await all<Row>(db)(...statement))[0];
}

/** Returns the first row of a statement that has one. */
export function only<Row>(db: QueryExecutorProvider): Statement<Row> {
  return async (...statement) => {
    const row = await one<Row>(db)(...statement);
    if (row === undefined) throw new Error('The ledger lacks a row.');
    return row;
  };
}

/** Returns the first column of the first row of a statement; undefined if it has no row. */
export function cell<Value>(db: QueryExecutorProvider): Statement<Value | undefined> {
  return async (...statement) => Object.values((await one<Record<string, Value>>(db)(...statement)) ?? {})[0];
}

/** Whether a query has any rows. */
export function exists(db: QueryExecutorProvider): Statement<boolean> {
  return async (...query) => (await one(db)`${sql(...query)} limit 1`) !== undefined;
}

/** Returns how many rows a statement has changed. */
export function change(db: QueryExecutorProvider): Statement<number> {
  return async (...statement) => Number((await sql(...statement).execute(db)).numAffectedRows ?? 0);
}
