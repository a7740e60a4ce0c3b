import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import type { LimitShare } from '../../core/run.ts';
import { hasAllMigrations, type LedgerOptions, lookAtDatabase, sqliteFile } from './open.ts';
import type { LedgerTables } from './schema.ts';
import { all, cell } from './statements.ts';

export type LedgerState = NonNullable<Awaited<ReturnType<typeof inspectLedger>>>;

const TABLES = ['records', 'runs', 'attempts', 'rejections', 'staged_changes', 'uploads'];

/**
 * Returns the state of the ledger; undefined if there is none yet (SQLite).
 * @throws CodedError FF_DATA_DIR (SQLite), FF_LEDGER_DAMAGED, FF_LEDGER_NEWER, FF_LEDGER_OLDER or FF_LEDGER_UNAVAILABLE
 */
export async function inspectLedger(options: LedgerOptions) {
  const { databaseUrl } = options;
  if (!exists(options)) return undefined;
  return lookAtDatabase({ ...options, maxConnections: 1 }, async (database) => {
    const { db, now } = database;
    if (!databaseUrl) await refuseDamage(db);
    const isCurrent = await hasAllMigrations(database);
    const askedAt = Date.now();
    const theirs = Number(await cell<number>(db)`select ${now}`);
    // The database read its clock about half-way between question and answer.
    const aheadMs = Math.round(theirs - (askedAt + Date.now()) / 2);
    const oldestRun = isCurrent ? await cell<number | null>(db)`select min(started_at) from runs` : null;
    return {
      engine: databaseUrl ? ('postgresql' as const) : ('sqlite' as const),
      /** Version of the engine: "3.50.4", "16.2". */
      version: String(await cell(db)`${databaseUrl ? postgresVersion : sqliteVersion}`),
      /** Whether the tables are those of this version; if not, the next command that opens the ledger migrates them. */
      isCurrent,
      /** Number of rows in each table, if the tables are current. */
      rows: isCurrent ? await countTables(db) : {},
      bytes: Number(await cell(db)`${databaseUrl ? postgresBytes : sqliteBytes}`),
      /** When the oldest run in the ledger began; ISO instant. */
      ...(oldestRun === null ? {} : { oldestRun: new Date(Number(oldestRun)).toISOString() }),
      /** Whether PostgreSQL ends the transaction of a process that is suspended, and unlocks its rows. SQLite needs no such limit. */
      endsIdle: !databaseUrl || String(await cell(db)`${postgresIdleLimit}`) !== '0',
      /** How far the database's clock is ahead of this machine's, in ms. */
      aheadMs,
    };
  });
}

/**
 * How near the last applied run of each sync that came near any limit came to the limits, by the name of the sync.
 * @throws CodedError as `inspectLedger`
 */
export async function lastShares(options: LedgerOptions): Promise<Map<string, LimitShare[]>> {
  if (!(await isLedgerCurrent(options))) return new Map();
  const rows = await lookAtDatabase(
    { ...options, maxConnections: 1 },
    ({ db }) => all<{ sync: string; shares: string }>(db)`
    select sync, shares from runs where id in (
      select max(id) from runs where status in ('success', 'partial') and shares <> '[]' group by sync
    )
  `,
  );
  return new Map(rows.map(({ sync, shares }) => [sync, JSON.parse(shares) as LimitShare[]]));
}

/**
 * Whether a ledger with the tables of this version exists.
 * @throws CodedError as `inspectLedger`
 */
export async function isLedgerCurrent(options: LedgerOptions): Promise<boolean> {
  return exists(options) && lookAtDatabase(options, hasAllMigrations);
}

function exists({ databaseUrl, dataDir }: LedgerOptions): boolean {
  return databaseUrl !== undefined || existsSync(sqliteFile(dataDir));
}

async function refuseDamage(db: Kysely<LedgerTables>): Promise<void> {
  const found = await cell<string>(db)`pragma quick_check(1)`;
  if (found !== 'ok') throw new CodedError('FF_LEDGER_DAMAGED', `The ledger is damaged: ${found}.`);
}

const sqliteVersion = sql`select sqlite_version() as value`;
const postgresVersion = sql`select current_setting('server_version') as value`;
const postgresIdleLimit = sql`select current_setting('idle_in_transaction_session_timeout') as value`;
const sqliteBytes = sql`select page_count * page_size as value from pragma_page_count, pragma_page_size`;
const postgresBytes = sql`
  select coalesce(sum(pg_total_relation_size(oid)), 0) as value
  from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;

async function countTables(db: Kysely<LedgerTables>): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of TABLES) rows[table] = (await cell<number>(db)`select count(*) from ${sql.table(table)}`) ?? 0;
  return rows;
}
