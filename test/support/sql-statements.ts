import { DatabaseSync } from 'node:sqlite';

/** Statements that were sent to a SQLite database, in their order. */
export interface StatementLog extends Disposable {
  readonly statements: string[];
  /** Number of rows that were inserted, updated and deleted on the connections that are closed by now. */
  rowsWritten(): number;
}

/**
 * Records each call that this process makes to a SQLite file opened from now on: queries and writes, `begin` and `commit`,
 * and the pragmas that set up the connection.
 */
export function recordStatements(file: string): StatementLog {
  const statements: string[] = [];
  const { prepare, exec, close } = DatabaseSync.prototype;
  let rows = 0;
  const record = (database: DatabaseSync, text: string) => {
    if (database.location()?.endsWith(file)) statements.push(text.replace(/\s+/g, ' ').trim());
  };
  DatabaseSync.prototype.exec = function (text) {
    record(this, text);
    return exec.call(this, text);
  };
  DatabaseSync.prototype.prepare = function (text) {
    const statement = prepare.call(this, text);
    const { all, run } = statement;
    const recorded =
      (call: (...values: never[]) => unknown) =>
      (...values: unknown[]) => {
        record(this, text);
        return Reflect.apply(call, statement, values);
      };
    return Object.assign(statement, { all: recorded(all), run: recorded(run) });
  };
  DatabaseSync.prototype.close = function () {
    if (this.location()?.endsWith(file)) {
      rows += Number(prepare.call(this, 'select total_changes() as changes').get()?.changes);
    }
    return close.call(this);
  };
  return {
    statements,
    rowsWritten: () => rows,
    [Symbol.dispose]() {
      Object.assign(DatabaseSync.prototype, { prepare, exec, close });
    },
  };
}
