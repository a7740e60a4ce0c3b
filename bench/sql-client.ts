import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export type SqlRow = Record<string, unknown>;

/** Plain SQL on a ledger that feedferry has created, beside feedferry. */
export interface SqlClient {
  engine: 'sqlite' | 'postgresql';
  all(text: string): Promise<SqlRow[]>;
  close(): Promise<void>;
}

export async function openSqlClient(where: { databaseUrl?: string; file: string }): Promise<SqlClient> {
  return where.databaseUrl ? openPostgres(where.databaseUrl) : openSqlite(where.file);
}

async function openPostgres(connectionString: string): Promise<SqlClient> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    engine: 'postgresql',
    all: async (text) => (await client.query<SqlRow>(text)).rows,
    close: () => client.end(),
  };
}

function openSqlite(file: string): SqlClient {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  return {
    engine: 'sqlite',
    all: async (text) => database.prepare(text).all() as SqlRow[],
    close: async () => database.close(),
  };
}
