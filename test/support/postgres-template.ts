import pg from 'pg';
import { openLedger } from '../../src/ledger/ledger.ts';
import { urlOfDatabase } from './postgres-database.ts';

/**
 * Creates a database with the tables of the ledger, once for all workers of a test run. Copying this database takes half as long
 * as creating the tables in another database.
 * @param admin URL of the maintenance database
 * @returns the clause of `create database` that copies the template. It copies files, which is faster than logging each page if
 * commits do not have to reach the disk; PostgreSQL 14 always copies files
 */
export async function createPostgresTemplate(admin: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    // The lock is held until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int >= 150000 as "hasStrategies",
        exists (select from pg_database where datname = $1) as "isCreated"`,
      [name],
    );
    const { hasStrategies, isCreated } = rows[0] as { hasStrategies: boolean; isCreated: boolean };
    if (!isCreated) {
      await client.query(`create database ${name}`);
      await (await openLedger({ databaseUrl: urlOfDatabase(name, admin), dataDir: '' })).close();
    }
    return `template ${name} ${hasStrategies ? 'strategy file_copy' : ''}`;
  } finally {
    await client.end();
  }
}
