import { PostgresDialect } from 'kysely';
import pg from 'pg';

const INT8 = 20;

/** Kysely's PostgreSQL dialect over a pool. 64-bit integers arrive as numbers: ours are milliseconds, ids and counts. */
export function postgresDialect(url: string, options: { maxConnections: number }): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? (value: string) => Number(value) : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}
