import { execFile } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { CodedError, messageOf } from '../../core/errors.ts';
import { isLedgerCurrent } from '../database/inspect.ts';
import { type LedgerOptions, ledgerTables, lookAtDatabase, refuseOtherVersion } from '../database/open.ts';
import type { LedgerDatabase } from '../database/schema.ts';

type Options = LedgerOptions & { databaseUrl: string };

/** Longer than a connection that was just closed is still listed. */
const ATTEMPTS = 10;
const PAUSE_MS = 200;
/** A scheduler that was seen within this time is running. */
const SILENT_MS = 60_000;
const RESTORE = ['--clean', '--if-exists', '--single-transaction', '--no-owner', '--no-privileges'];

/** Dumps the ledger with pg_dump, and checks that the file can be read. */
export async function dumpPostgres(file: string, options: Options): Promise<void> {
  const schema = await look(options, schemaOfLedger);
  const dump = ['--format=custom', '--no-owner', '--no-privileges', `--schema="${schema}"`, `--file=${file}`];
  await runTool('pg_dump', dump, options, `pg_dump --format=custom --schema='"${schema}"' --file=FILE "$DATABASE_URL"`);
  const tables = await listOf(file, options);
  if (!tables.some((line) => line.includes(' TABLE DATA ') && line.includes(' records ')))
    throw new CodedError('FF_BACKUP_FAILED', 'pg_dump has written a file without the records of the ledger.');
}

/** Restores a dump in one transaction, after it has dumped the ledger to `previous`. */
export async function restorePostgres(
  file: string,
  previous: string,
  options: Options,
): Promise<{ previous?: string }> {
  const schema = await look(options, schemaOfLedger);
  const list = await listOf(file, options);
  if (!list.some((line) => line.includes(` TABLE DATA ${schema} kysely_migration `)))
    throw new CodedError('FF_BACKUP_FILE', `${file} has no ledger in the schema "${schema}" of the database.`);
  const script = await runTool('pg_restore', ['--data-only', '--table=kysely_migration', '--file=-', file], options);
  refuseOtherVersion([...script.matchAll(/^(\d{3}-[\w-]+)\t/gm)].map(([, name = '']) => name));
  await look(options, refuseInUse);
  const hasLedger = await isLedgerCurrent(options).catch(() => true);
  // The schema itself stays as it is: others may have rights on it.
  const entries = `${file}.list`;
  writeFileSync(entries, list.filter((line) => !/ SCHEMA - /.test(line)).join('\n'));
  try {
    if (hasLedger) {
      closeSync(openSync(previous, 'wx', 0o600));
      await dumpPostgres(previous, options);
    }
    const command = `pg_restore ${RESTORE.join(' ')} --dbname="$DATABASE_URL" FILE`;
    await runTool('pg_restore', [...RESTORE, `--use-list=${entries}`, file], options, command);
  } catch (error) {
    rmSync(previous, { force: true });
    throw error;
  } finally {
    rmSync(entries, { force: true });
  }
  return hasLedger ? { previous } : {};
}

async function listOf(file: string, options: Options): Promise<string[]> {
  return (await runTool('pg_restore', ['--list', file], options)).split('\n');
}

/** Returns the schema of the ledger. A schema that other programs share would be restored with their tables. */
async function schemaOfLedger({ db }: LedgerDatabase): Promise<string> {
  const { rows } = await sql<{ schema: string; name: string | null }>`
    select current_schema() as schema, relname as name from (select 1) as one
    left join pg_class on relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace
  `.execute(db);
  const others = rows.flatMap(({ name }) => (name === null || ledgerTables.has(name) ? [] : [name]));
  const schema = rows[0]?.schema ?? 'public';
  if (others.length === 0) return schema;
  const message = `The schema "${schema}" of the database also has tables of other programs (${others.slice(0, 3).join(', ')}).`;
  const remedy = 'Back up the whole database with pg_dump, or give the ledger a database of its own.';
  throw new CodedError('FF_BACKUP_FAILED', message, { remedy });
}

async function refuseInUse({ db, now }: LedgerDatabase): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await sql<{ client: string }>`
      select coalesce(nullif(application_name, ''), usename) || ' at ' || coalesce(host(client_addr), 'this machine') as client
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    `.execute(db);
    const schedulers = await sql<{ holder: string }>`
      select holder from schedulers where ended_at is null and seen_at > ${now} - ${SILENT_MS}
    `
      .execute(db)
      .catch(() => ({ rows: [] }));
    const users = [...rows.map(({ client }) => client), ...schedulers.rows.map(({ holder }) => holder)];
    if (users.length === 0) return;
    if (attempt === ATTEMPTS)
      throw new CodedError('FF_LEDGER_IN_USE', `Other processes use the ledger: ${[...new Set(users)].join(', ')}.`);
    await sleep(PAUSE_MS);
  }
}

function look<Seen>(options: Options, see: (database: LedgerDatabase) => Promise<Seen>): Promise<Seen> {
  return lookAtDatabase({ ...options, maxConnections: 1 }, see);
}

/**
 * Runs a program of PostgreSQL and returns its output.
 * @param command what to run instead if the program is missing
 */
async function runTool(
  tool: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  { databaseUrl }: Options,
  command?: string,
): Promise<string> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  // All users of the machine see the arguments of a process.
  url.password = '';
  const own = Object.entries(process.env).filter(([name]) => /^(PG.*|PATH|HOME|LANG|LC_.*)$/.test(name));
  const env = { ...Object.fromEntries(own), ...(password && { PGPASSWORD: password }) };
  const connection = command === undefined ? [] : ['--no-password', `--dbname=${url.href}`];
  try {
    const { stdout } = await promisify(execFile)(tool, [...connection, ...args], { env, maxBuffer: 256_000_000 });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const remedy = command && `Install the client programs of PostgreSQL, or run where they are: \`${command}\``;
      throw new CodedError('FF_BACKUP_TOOL', `\`${tool}\` is not on the path.`, {
        cause: error,
        ...(remedy && { remedy }),
      });
    }
    const { stderr = '' } = error as { stderr?: string };
    const [reason = messageOf(error)] = stderr.split('\n').filter((line) => /error|failed|aborting/i.test(line));
    throw new CodedError('FF_BACKUP_FAILED', reason.replaceAll(databaseUrl, 'the database'), { cause: error });
  }
}
