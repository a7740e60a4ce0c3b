import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type Driver, type QueryResult, SqliteAdapter, SqliteIntrospector, sql } from 'kysely';
import { CodedError, type ErrorCode, messageOf } from '../../core/errors.ts';
import type { Engine } from './engine.ts';
import { forRowsInSqlite, type RepeatedQuery } from './for-rows.ts';
import { SqliteListCompiler } from './value-lists.ts';
import { findEntriesInSqlite } from './word-search.ts';

const BUSY_FOR_MS = 30_000;
const BUSY_PAUSE_MS = 10;
const CACHED_STATEMENTS = 200;
const SQLITE_BUSY = 5;
/** Result codes that need the attention of the operator. */
const FAULTS: Record<number, ErrorCode> = { 11: 'FF_LEDGER_DAMAGED', 13: 'FF_LEDGER_FULL', 26: 'FF_LEDGER_DAMAGED' };
/** Size of the write-ahead log after a large transaction. */
const LONGEST_LOG_BYTES = 64_000_000;
/** Free pages of a new database can be returned to the file system. SQLite's own waiting would block the whole process. */
const SETUP = `
  pragma auto_vacuum = incremental;
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma temp_store = memory;
  pragma journal_size_limit = ${LONGEST_LOG_BYTES};
  pragma busy_timeout = 0;
  pragma wal_autocheckpoint = 4000;
`;
const IS_PRAGMA = /^\s*pragma\b/i;

/**
 * Kysely's SQLite over node:sqlite. Several processes on one machine may share the file: it has a write-ahead log,
 * transactions take the write lock at their start, and wait for it without blocking the process. Every commit reaches the
 * disk unless it is `unsynced`, because a claim must survive a power failure.
 * Queries throw CodedError FF_LEDGER_FULL, FF_LEDGER_DAMAGED, or FF_LEDGER_UNAVAILABLE if another process keeps it locked.
 * @throws CodedError FF_DATA_DIR if the file cannot be created or written, FF_LEDGER_DAMAGED if it is not a database
 */
export function sqliteEngine(file: string): Engine {
  const database = openDatabase(file);
  const connection = sqliteConnection(database);
  return {
    dialect: {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => sqliteDriver(database, connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteListCompiler(),
    },
    now: sql`cast(unixepoch('subsec') * 1000 as integer)`,
    forRows: forRowsInSqlite,
    lockRows: sql``,
    unsynced: (db, work) =>
      db.connection().execute(async (only) => {
        // In the write-ahead log, later commits reach the disk after this one.
        await sql`pragma synchronous = normal`.execute(only);
        try {
          return await only.transaction().execute(work);
        } finally {
          await sql`pragma synchronous = full`.execute(only);
        }
      }),
    readAtOnce: connection.readAtOnce,
    findEntries: findEntriesInSqlite,
  };
}

/** SQLite rolls DDL back, so two processes that open a new ledger at once migrate it one after the other. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely lets one caller at a time use the connection. */
function sqliteDriver(database: DatabaseSync, connection: ReturnType<typeof sqliteConnection>): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => connection.exec('begin immediate'),
    commitTransaction: () => connection.exec('commit'),
    rollbackTransaction: () => connection.exec('rollback'),
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  };
}

function openDatabase(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true });
    makePrivate(file);
    const database = new DatabaseSync(file, { timeout: BUSY_FOR_MS });
    database.exec(SETUP);
    return database;
  } catch (error) {
    const code = faultOf(error) ?? 'FF_DATA_DIR';
    const problem = code === 'FF_DATA_DIR' ? 'cannot be written' : 'cannot be used';
    throw new CodedError(code, `The ledger ${file} ${problem}: ${messageOf(error)}`, { cause: error });
  }
}

/** The ledger contains personal data of accounts. Earlier versions left it readable for all users of the machine. */
function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o777) === 0o644) chmodSync(path, 0o600);
  }
}

function faultOf(error: unknown): ErrorCode | undefined {
  return FAULTS[resultCodeOf(error)];
}

function sqliteConnection(database: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof prepare>>();
  return { executeQuery, exec, readAtOnce, streamQuery };

  function executeQuery<Row>(query: RepeatedQuery): Promise<QueryResult<Row>> {
    const { sql, parameters, repeatedWith } = query;
    return whenFree(() => {
      const { statement, hasRows } = prepared(sql);
      if (repeatedWith) return { rows: repeatedWith.flatMap((values) => statement.all(...values)) as Row[] };
      const values = parameters as SQLInputValue[];
      if (hasRows) return { rows: statement.all(...values) as Row[] };
      const { changes } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    });
  }

  /** Works within a transaction that is under way, and beside one of another process. */
  function readAtOnce<Row>({ sql, parameters }: CompiledQuery<Row>): Row[] | undefined {
    try {
      return prepared(sql).statement.all(...(parameters as SQLInputValue[])) as Row[];
    } catch (error) {
      // The caller then waits and repeats, and sees any other error.
      if (resultCodeOf(error) > 0) return undefined;
      throw error;
    }
  }

  function exec(sql: string): Promise<void> {
    return whenFree(() => database.exec(sql));
  }

  function prepared(sql: string): ReturnType<typeof prepare> {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= CACHED_STATEMENTS) statements.clear();
    const fresh = prepare(sql);
    statements.set(sql, fresh);
    return fresh;
  }

  function prepare(sql: string) {
    const statement = database.prepare(sql);
    // Some pragmas work row by row, although they have no columns.
    return { statement, hasRows: statement.columns().length > 0 || IS_PRAGMA.test(sql) };
  }
}

// Kysely requires this function; the ledger reads in batches.
function streamQuery(): AsyncIterableIterator<never> {
  throw new Error('Streaming is not supported.');
}

/** Repeats an action that SQLite refuses while another process is writing. */
async function whenFree<T>(action: () => T): Promise<T> {
  // The clock of the machine may be set meanwhile.
  const deadline = performance.now() + BUSY_FOR_MS;
  for (;;) {
    try {
      return action();
    } catch (error) {
      const fault = faultOf(error);
      if (fault) throw new CodedError(fault, `The ledger cannot be used: ${messageOf(error)}`, { cause: error });
      if (resultCodeOf(error) !== SQLITE_BUSY) throw error;
      if (performance.now() > deadline) {
        const message = `Another process has kept the ledger locked for ${BUSY_FOR_MS / 1000} s: it may be suspended.`;
        throw new CodedError('FF_LEDGER_UNAVAILABLE', message, { cause: error });
      }
      await sleep(1 + Math.random() * BUSY_PAUSE_MS);
    }
  }
}

/** The low byte is the primary result code; the rest is detail, such as SQLITE_BUSY_SNAPSHOT. */
function resultCodeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) % 256;
}
