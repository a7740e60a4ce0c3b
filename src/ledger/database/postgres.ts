import { PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { CodedError } from '../../core/errors.ts';
import type { Engine } from './engine.ts';
import { forRowsInPostgres } from './for-rows.ts';
import { PostgresListCompiler } from './value-lists.ts';
import { findEntriesInPostgres } from './word-search.ts';

const INT8 = 20;
/** Any number: the locks of a database are its own. */
const CREATES_LOCK = 1_205_418;
/** Connections that break, a server that stops or starts, and a transaction that was idle too long (PostgreSQL: "Error Codes"). */
const SERVER_AWAY = /^(08|57P|25P03)/;
const DISK_FULL = '53100';
const TOO_MANY_CONNECTIONS = '53300';

/** PostgreSQL ends a session whose transaction is idle for longer. PgBouncer refuses to pass it on unless told to ignore it. */
const IDLE_LIMIT = 'idle_in_transaction_session_timeout';

/**
 * PostgreSQL over a pool. 64-bit integers arrive as numbers: ours are milliseconds, ids and counts. Queries throw CodedError
 * FF_LEDGER_UNAVAILABLE while the server is unavailable; the pool reconnects afterwards.
 * @param options.name the name of the database in messages
 */
export function postgresEngine(
  url: string,
  options: { name: string; maxConnections: number; takeOverAfterMs: number },
): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: 10_000,
    // A process that is suspended within a transaction would otherwise lock its rows for longer.
    [IDLE_LIMIT]: options.takeOverAfterMs,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? (value: string) => Number(value) : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // A connection may break while it is idle, or between the queries of a transaction. The pool replaces it, and its next query
  // fails; without listeners, the error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    dialect: new ListDialect({ pool: withCodedErrors(pool, options.name) }),
    now: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
    forRows: forRowsInPostgres,
    lockRows: sql`for update of records`,
    findEntries: findEntriesInPostgres,
    lockCreates: sql`select pg_advisory_xact_lock(${sql.lit(CREATES_LOCK)})`,
    unsynced: (db, work) =>
      db.transaction().execute(async (transaction) => {
        await sql`set local synchronous_commit = off`.execute(transaction);
        return work(transaction);
      }),
  };
}

class ListDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresListCompiler {
    return new PostgresListCompiler();
  }
}

function withCodedErrors(pool: pg.Pool, name: string): PostgresPool {
  const throwCoded = (error: Error): never => {
    throw codedOf(name, error) ?? error;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(throwCoded);
      const query = (text: string, values: unknown[]) => client.query(text, values).catch(throwCoded);
      // Kysely's type has cursors too; the ledger reads in batches and streams nothing.
      return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
    },
  };
}

function codedOf(name: string, error: Error): CodedError | undefined {
  const { code = '' } = error as pg.DatabaseError;
  const reason = error instanceof AggregateError ? String(error.errors[0]?.message) : error.message;
  if (code === DISK_FULL) {
    return new CodedError('FF_LEDGER_FULL', `The ledger ${name} cannot be written: ${reason}`, { cause: error });
  }
  if (code === TOO_MANY_CONNECTIONS) {
    const remedy = 'Raise max_connections of PostgreSQL, or run fewer processes: each one uses up to ten connections.';
    const message = `The ledger ${name} accepts no more connections: ${reason}`;
    return new CodedError('FF_LEDGER_UNAVAILABLE', message, { cause: error, remedy });
  }
  if (reason.includes('startup parameter')) {
    const message = `PgBouncer, or a similar pooler, refused the connection to the ledger ${name}: ${reason}`;
    const remedy =
      'Let DATABASE_URL name PostgreSQL itself. Or add the parameter to `ignore_startup_parameters` of PgBouncer and set it for the ' +
      'role, as `feedferry help ledger` shows ("PgBouncer"). The modes `session` and `transaction` work, `statement` does not.';
    return new CodedError('FF_LEDGER_UNAVAILABLE', message, { cause: error, remedy });
  }
  // An error that PostgreSQL did not report is an error of the connection.
  if (error instanceof pg.DatabaseError && !SERVER_AWAY.test(code)) return undefined;
  return new CodedError('FF_LEDGER_UNAVAILABLE', `The ledger ${name} did not answer: ${reason}`, { cause: error });
}
