import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { CodedError, messageOf } from '../../core/errors.ts';
import { isLedgerCurrent } from '../database/inspect.ts';
import { type LedgerOptions, sqliteFile } from '../database/open.ts';
import { dumpPostgres, restorePostgres } from './postgres-dump.ts';
import { copySqlite, restoreSqlite } from './sqlite-copy.ts';

/** How files of each engine begin. */
const BEGINNINGS = { sqlite: 'SQLite format 3\0', postgresql: 'PGDMP' } as const;

/**
 * Copies the ledger to a file, also while others use it, and checks the copy before it replaces an earlier one.
 * @throws CodedError FF_BACKUP_FILE, FF_BACKUP_FAILED, FF_BACKUP_TOOL, and as `inspectLedger`
 */
export async function backUpLedger(file: string, options: LedgerOptions): Promise<{ bytes: number }> {
  const { databaseUrl, dataDir } = options;
  if (!(await isLedgerCurrent(options))) throw new CodedError('FF_BACKUP_FAILED', 'There is no ledger to back up yet.');
  refuseOtherFile(file, databaseUrl ? undefined : sqliteFile(dataDir));
  const partial = `${file}.partial`;
  try {
    rmSync(partial, { force: true });
    // The ledger contains personal data of accounts.
    closeSync(openSync(partial, 'wx', 0o600));
    if (databaseUrl) await dumpPostgres(partial, { ...options, databaseUrl });
    else await copySqlite(sqliteFile(dataDir), partial);
    const { size: bytes } = statSync(partial);
    writeThrough(partial);
    renameSync(partial, file);
    return { bytes };
  } catch (error) {
    rmSync(partial, { force: true });
    if (error instanceof CodedError) throw error;
    throw new CodedError('FF_BACKUP_FAILED', `The backup ${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Replaces the ledger by a backup, and keeps the previous ledger in a file.
 * @returns `previous`: that file; absent: there was no ledger
 * @throws CodedError FF_BACKUP_FILE, FF_LEDGER_IN_USE, FF_BACKUP_FAILED, FF_BACKUP_TOOL, FF_LEDGER_OLDER or FF_LEDGER_NEWER; the
 * ledger is then as it was
 */
export function restoreLedger(file: string, options: LedgerOptions): Promise<{ previous?: string }> {
  const { databaseUrl, dataDir } = options;
  const found = engineOf(file);
  if (!found) throw new CodedError('FF_BACKUP_FILE', `${file} is not a backup of a ledger.`);
  const wanted = databaseUrl ? 'postgresql' : 'sqlite';
  if (found !== wanted) {
    const names = { sqlite: 'SQLite', postgresql: 'PostgreSQL' };
    const message = `${file} is a backup of ${names[found]}, but the ledger is ${databaseUrl ? 'the PostgreSQL database of DATABASE_URL' : `SQLite in ${dataDir}, because DATABASE_URL is not set`}.`;
    throw new CodedError('FF_BACKUP_FILE', message, {
      remedy: 'Name a backup of this ledger, or set or unset DATABASE_URL.',
    });
  }
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  return databaseUrl
    ? restorePostgres(file, `${file}.before-${stamp}`, { ...options, databaseUrl })
    : restoreSqlite(file, sqliteFile(dataDir).replace(/\.sqlite$/, `-before-${stamp}.sqlite`), dataDir);
}

/** A slip in the name must not replace another file. */
function refuseOtherFile(file: string, ledger: string | undefined): void {
  if (!existsSync(file)) return;
  if (ledger && realpathSync(file) === realpathSync(ledger))
    throw new CodedError('FF_BACKUP_FILE', `${file} is the ledger itself.`);
  if (!engineOf(file)) throw new CodedError('FF_BACKUP_FILE', `${file} exists and is not a backup of a ledger.`);
}

/** @throws CodedError FF_BACKUP_FILE if the file cannot be read */
function engineOf(file: string): keyof typeof BEGINNINGS | undefined {
  const head = Buffer.alloc(16);
  try {
    const handle = openSync(file, 'r');
    try {
      readSync(handle, head, 0, head.length, 0);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new CodedError('FF_BACKUP_FILE', `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const engines = Object.keys(BEGINNINGS) as Array<keyof typeof BEGINNINGS>;
  return engines.find((engine) => head.toString('latin1').startsWith(BEGINNINGS[engine]));
}

/** A backup that a power failure empties would replace one that is whole. */
function writeThrough(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
