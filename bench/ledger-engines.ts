import { findTestPrograms } from '../test/support/find-programs.ts';
import { createPostgresDatabase } from '../test/support/postgres-database.ts';
import { startPrivatePostgres } from '../test/support/private-postgres.ts';

/**
 * Acts on each engine with the environment variables of a new ledger, besides FEEDFERRY_DATA. PostgreSQL waits for the disk as
 * it does in production; if it is missing, it is left out, which is printed.
 */
export async function onEachEngine(
  engines: readonly string[],
  act: (name: string, database: Record<string, string>) => Promise<void>,
): Promise<void> {
  for (const engine of engines) {
    if (engine === 'sqlite') await act('SQLite', {});
    else await withPostgres((url) => act('PostgreSQL', { DATABASE_URL: url }));
  }
}

async function withPostgres(act: (databaseUrl: string) => Promise<void>): Promise<void> {
  const { postgresBin } = findTestPrograms({ redis: false, postgres: true });
  if (!postgresBin) return console.error('LEFT OUT: PostgreSQL, since it could not be had.');
  const server = await startPrivatePostgres(postgresBin, { fsync: true });
  try {
    await act((await createPostgresDatabase(server.url)).url);
  } finally {
    await server.stop();
  }
}
