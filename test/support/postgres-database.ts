import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database in a PostgreSQL.
 * @param admin URL of the maintenance database
 * @param template clause of `create database` that names the database to copy; by default, the new database is empty
 */
export async function createPostgresDatabase(admin: string, template = ''): Promise<TestDatabase> {
  const name = `feedferry_${randomBytes(6).toString('hex')}`;
  await onDatabase(admin, `create database ${name} ${template}`);
  return {
    url: urlOfDatabase(name, admin),
    drop: () => onDatabase(admin, `drop database ${name} with (force)`),
  };
}

/** Returns the URL of a database in the same PostgreSQL as the maintenance database. */
export function urlOfDatabase(name: string, admin: string): string {
  return admin.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
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
