import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { CodedError, messageOf } from '../../core/errors.ts';
import { inspectLedger } from '../database/inspect.ts';
import { sqliteFile } from '../database/open.ts';

const SQLITE_BUSY = 5;
/** The files of a ledger: the database, and its log if a process has not closed it. */
const PARTS = ['', '-wal', '-shm'];

/** Copies an open ledger and checks the copy, which is one file without a log. */
export async function copySqlite(ledger: string, copy: string): Promise<void> {
  const source = new DatabaseSync(ledger, { timeout: 30_000 });
  try {
    // All pages at once: if another process writes meanwhile, a copy in steps would begin again.
    await backup(source, copy, { rate: -1 });
  } finally {
    source.close();
  }
  const copied = new DatabaseSync(copy);
  try {
    copied.exec('pragma journal_mode = delete');
    const found = copied.prepare('pragma integrity_check(1)').get()?.integrity_check;
    if (found !== 'ok') throw new CodedError('FF_LEDGER_DAMAGED', `The ledger is damaged: ${String(found)}.`);
  } finally {
    copied.close();
  }
}

/** Puts a backup in the place of the ledger of a data directory, after it has copied that to `previous`. */
export async function restoreSqlite(file: string, previous: string, dataDir: string): Promise<{ previous?: string }> {
  const ledger = sqliteFile(dataDir);
  refuseInUse(ledger);
  mkdirSync(dataDir, { recursive: true });
  const fresh = mkdtempSync(join(dataDir, 'restore-'));
  try {
    copyFileSync(file, sqliteFile(fresh));
    chmodSync(sqliteFile(fresh), 0o600);
    if (!(await inspectLedger({ dataDir: fresh }))?.isCurrent)
      throw new CodedError('FF_BACKUP_FILE', `${file} is a database without the tables of a ledger.`);
    const parts = PARTS.filter((part) => existsSync(`${ledger}${part}`));
    for (const part of parts) copyFileSync(`${ledger}${part}`, `${previous}${part}`);
    refuseInUse(ledger);
    for (const part of PARTS.slice(1)) rmSync(`${ledger}${part}`, { force: true });
    renameSync(sqliteFile(fresh), ledger);
    return parts.length === 0 ? {} : { previous };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Only a connection without others can end the write-ahead log. A damaged ledger cannot be asked, and is not in use for long. */
function refuseInUse(ledger: string): void {
  if (!existsSync(ledger)) return;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(ledger, { timeout: 0 });
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) return;
    throw new CodedError('FF_LEDGER_IN_USE', `Another process has the ledger ${ledger} open: ${messageOf(error)}.`);
  } finally {
    database?.close();
  }
}
