import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerOptions, openDatabase } from '../../src/ledger/database/open.ts';
import type { LedgerTables } from '../../src/ledger/database/schema.ts';

/**
 * Rows of a ledger that has something of everything: "talks" (delivered, edited, deleted in the CMS, removed, and a held plan),
 * each state of a record in "states", runs of every kind, alerts, targets, a remote file.
 */
const fixture = readFileSync(join(import.meta.dirname, '../fixtures/ledger-rows.json'), 'utf8');

/** Creates a ledger with the rows of the fixture. */
export async function createFilledLedger(options: LedgerOptions): Promise<void> {
  const { db } = await openDatabase(options);
  for (const [table, rows] of Object.entries(JSON.parse(fixture))) {
    await db
      .insertInto(table as keyof LedgerTables)
      .values(rows as never[])
      .execute();
  }
  await db.destroy();
}
