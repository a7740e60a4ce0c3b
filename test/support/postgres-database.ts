import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A new database in the PostgreSQL whose maintenance database is given. */
export async function createPostgresDatabase(admin: string): Promise<TestDatabase> {
  const name = `feedferry_${randomBytes(6).toString('hex')}`;
  await onDatabase(admin, `create database ${name}`);
  return {
    url: admin.replace(/\/[^/?]*(\?|$)/, `/${name}$1`),
    drop: () => onDatabase(admin, `drop database ${name} with (force)`),
  };
}

/** Executes one statement. */
export async function onDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
