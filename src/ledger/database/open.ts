import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { CodedError, messageOf, toCodedError } from '../../core/errors.ts';
import { type Runtime, systemRuntime } from '../../core/runtime/runtime.ts';
import type { Engine } from './engine.ts';
import { tableNames, tables } from './migrations/001-tables.ts';
import type { LedgerDatabase, LedgerTables } from './schema.ts';
import { sqliteEngine } from './sqlite.ts';

export interface LedgerOptions {
  /** PostgreSQL connection URL; absent: SQLite in `dataDir`. */
  databaseUrl?: string;
  dataDir: string;
  /** How long a process may be silent before another one takes over its work, in ms; default 30 s. */
  takeOverAfterMs?: number;
  /** Maximum number of connections to PostgreSQL. */
  maxConnections?: number;
  /** Default: the runtime of this process. */
  runtime?: Runtime;
  /** Replaces the database that the other options name. */
  engine?: Engine;
}

const migrations = { '001-ledger': tables };
/** The tables of a PostgreSQL ledger. */
export const ledgerTables = new Set([...tableNames, 'search_words', 'kysely_migration', 'kysely_migration_lock']);

/** Path of the SQLite ledger in a data directory. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'ledger.sqlite');
}

/**
 * Opens the ledger and brings its tables up to date. Several processes may do so at once.
 * @throws CodedError FF_DATA_DIR (SQLite), FF_LEDGER_DAMAGED, FF_LEDGER_NEWER, FF_LEDGER_OLDER or FF_LEDGER_UNAVAILABLE
 */
export function openDatabase(options: LedgerOptions): Promise<LedgerDatabase> {
  return connected(options, async (database) => {
    // Spares a ledger that is up to date, as most are, the many statements of the migrator.
    if (await hasAllMigrations(database)) return database;
    const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
    return database;
  });
}

/**
 * Whether the ledger has the tables of this version. If not, they are created or changed when it is opened.
 * @throws CodedError FF_LEDGER_NEWER, FF_LEDGER_OLDER if it has those of a version whose ledgers this one cannot use
 */
export async function hasAllMigrations({ db }: LedgerDatabase): Promise<boolean> {
  const names = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db).then(
    ({ rows }) => rows.map(({ name }) => name),
    (error: unknown): string[] => {
      if (error instanceof CodedError) throw error;
      // A new ledger has no tables yet.
      return [];
    },
  );
  refuseOtherVersion(names);
  return names.length === Object.keys(migrations).length;
}

/**
 * Makes sure that this version knows the migrations of a ledger.
 * @throws CodedError FF_LEDGER_NEWER, FF_LEDGER_OLDER
 */
export function refuseOtherVersion(names: readonly string[]): void {
  const unknown = names.filter((name) => !Object.keys(migrations).includes(name));
  if (unknown.length > 0) throw versionError(unknown, { isNewer: unknown.length < names.length });
}

/** @param options.isNewer whether the ledger also has migrations of this version: then a newer one has added the unknown ones */
function versionError(unknown: readonly string[], { isNewer }: { isNewer: boolean }): CodedError {
  const names = unknown.join(', ');
  if (isNewer) {
    const last = Object.keys(migrations).at(-1);
    const message = `The ledger has the tables of a newer version (${names}); this version of feedferry knows them up to ${last}.`;
    return new CodedError('FF_LEDGER_NEWER', message);
  }
  const message = `The ledger was made by a development version of feedferry from before the first release, and cannot be upgraded (${names}).`;
  return new CodedError('FF_LEDGER_OLDER', message);
}

/**
 * Opens a database without migrating it, and closes it afterwards.
 * @throws CodedError FF_DATA_DIR (SQLite) or FF_LEDGER_UNAVAILABLE
 */
export function lookAtDatabase<Seen>(
  options: LedgerOptions,
  look: (database: LedgerDatabase) => Promise<Seen>,
): Promise<Seen> {
  return connected(options, async (database) => {
    const seen = await look(database);
    await database.db.destroy();
    return seen;
  });
}

async function connected<Result>(
  options: LedgerOptions,
  use: (database: LedgerDatabase) => Promise<Result>,
): Promise<Result> {
  const { takeOverAfterMs = 30_000, runtime = systemRuntime } = options;
  const { dialect, unsynced, ...engine } = await engineFor(options, takeOverAfterMs);
  const db = new Kysely<LedgerTables>({ dialect });
  try {
    const leaseUntil = sql<number>`${engine.now} + ${takeOverAfterMs}`;
    const shared = { ...engine, db, runtime, takeOverAfterMs, leaseUntil };
    return await use({ ...shared, unsynced: (work) => unsynced(db, work) });
  } catch (error) {
    await db.destroy().catch(() => {});
    throw openError(error, options);
  }
}

async function engineFor(
  { engine, databaseUrl, dataDir, maxConnections = 10 }: LedgerOptions,
  takeOverAfterMs: number,
): Promise<Engine> {
  if (engine) return engine;
  if (!databaseUrl) return sqliteEngine(sqliteFile(dataDir));
  const { postgresEngine } = await import('./postgres.ts');
  return postgresEngine(databaseUrl, { name: databaseName(databaseUrl), maxConnections, takeOverAfterMs });
}

function openError(error: unknown, options: LedgerOptions): CodedError {
  const coded = toCodedError(error);
  if (coded.code !== 'FF_BUG') return coded;
  const where = options.databaseUrl ? databaseName(options.databaseUrl) : options.dataDir;
  return new CodedError('FF_LEDGER_UNAVAILABLE', `The ledger ${where} cannot be opened: ${describe(error)}`, {
    cause: error,
  });
}

/** Host and database of a connection URL, without its credentials. */
function databaseName(url: string): string {
  if (!URL.canParse(url)) return 'of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  return messageOf(error);
}
