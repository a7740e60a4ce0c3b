// Preloaded (node --import) to measure a slow disk: every commit that SQLite waits for takes SLOW_COMMIT_MS longer.
import { DatabaseSync, StatementSync } from 'node:sqlite';

const pause = new Int32Array(new SharedArrayBuffer(4));
const delayMs = Number(process.env.SLOW_COMMIT_MS);
const databases = new WeakMap<StatementSync, { database: DatabaseSync; sql: string }>();
const relaxed = new WeakSet<DatabaseSync>();
const wait = (database: DatabaseSync) => {
  if (!relaxed.has(database)) Atomics.wait(pause, 0, 0, delayMs);
};

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql);
  if (sql === 'commit') wait(this);
};
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  databases.set(statement, { database: this, sql });
  return statement;
};
for (const name of ['run', 'all'] as const) {
  const original = StatementSync.prototype[name] as (this: StatementSync, ...values: never[]) => unknown;
  StatementSync.prototype[name] = function (this: StatementSync, ...values: never[]) {
    const result = original.apply(this, values);
    const { database, sql } = databases.get(this) ?? {};
    if (!database || !sql) return result;
    if (/synchronous = normal/i.test(sql)) relaxed.add(database);
    if (/synchronous = full/i.test(sql)) relaxed.delete(database);
    if (/^\s*(insert|update|delete)/i.test(sql) && !database.isTransaction) wait(database);
    return result;
  } as never;
}
