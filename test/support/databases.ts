import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Makes a PostgreSQL database of the test's own. `admin` is the URL of another one on the same server. */
export async function createDatabaseOn(admin: string): Promise<TestDatabase> {
  const name = `feedferry_${randomBytes(6).toString('hex')}`;
  await onDatabase(admin, `create database ${name}`);
  return {
    url: admin.replace(/\/[^/?]*(\?|$)/, `/${name}$1`),
    drop: () => onDatabase(admin, `drop database ${name} with (force)`),
  };
}

async function onDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
