import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { createDatabase, hasEngine } from '../../support/engines.ts';

/** Ends all connections to a database but its own, and waits until they are gone. */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await client.query(`select pg_terminate_backend(pid, 5000) ${others}`);
  await client.end();
}

describe.runIf(hasEngine('postgresql'))('Connections of a ledger on PostgreSQL', () => {
  async function openLedgerDatabase() {
    const { url, drop } = await createDatabase();
    const { db } = await openDatabase({ databaseUrl: url, dataDir: '' });
    onTestFinished(async () => {
      await db.destroy();
      await drop();
    });
    return { url, db };
  }

  test('A connection that breaks between the queries of a transaction fails it with a code', async () => {
    const { url, db } = await openLedgerDatabase();
    const broken = db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await endConnections(url);
      await sql`select 1`.execute(transaction);
    });
    await expect(broken).rejects.toMatchObject({ code: 'FF_LEDGER_UNAVAILABLE' });
    expect(await db.selectFrom('runs').selectAll().execute()).toEqual([]);
  });

  test('A connection that breaks during a query fails it with a code', async () => {
    const { url, db } = await openLedgerDatabase();
    const broken = sql`select pg_sleep(60)`.execute(db);
    const refusal = expect(broken).rejects.toMatchObject({ code: 'FF_LEDGER_UNAVAILABLE' });
    await endConnections(url);
    await refusal;
    expect(await db.selectFrom('runs').selectAll().execute()).toEqual([]);
  });

  test('Idle connections that break cause no failure', async () => {
    const { url, db } = await openLedgerDatabase();
    await endConnections(url);
    await expect.poll(() => sql`select 1`.execute(db).then(() => 'answered')).toBe('answered');
  });

  test('An error of PostgreSQL is reported unchanged', async () => {
    const { db } = await openLedgerDatabase();
    await expect(sql`select nothing`.execute(db)).rejects.toMatchObject({ code: '42703' });
  });
});
