import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sqliteFile } from '../../src/ledger/database/open.ts';
import { openLedger } from '../../src/ledger/ledger.ts';

let template: Promise<string> | undefined;

/** Creates a SQLite ledger with its tables, by a copy: this takes a small part of the time in which the tables are created. */
export async function createSqliteLedger(dataDir: string): Promise<void> {
  template ??= createTemplate();
  const file = sqliteFile(dataDir);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(await template, file);
}

/** Creates the ledger to copy, once for all tests of a worker. It is removed with the temporary files of the test run. */
async function createTemplate(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'feedferry-template-'));
  await (await openLedger({ dataDir })).close();
  return sqliteFile(dataDir);
}
