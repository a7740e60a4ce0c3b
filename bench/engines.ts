import { findTestPrograms } from '../test/support/find-programs.ts';
import { createPostgresDatabase } from '../test/support/postgres-database.ts';
import { startPrivatePostgres } from '../test/support/private-postgres.ts';
import { startPrivateRedis } from '../test/support/private-redis.ts';

/** Where ledger and queue are: in this process and a file, or in servers of the bench's own. */
export interface Engine {
  name: string;
  /** Environment variables of one run with a new ledger, besides FEEDFERRY_DATA. */
  newLedger(): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

const engines = new Map([
  ['in-process', inProcess],
  ['bullmq', onServers],
]);
export const engineNames = [...engines.keys()];

/**
 * Starts what the engine needs; returns undefined, and prints why, if its servers are missing.
 * @throws Error for a name that is none
 */
export async function openEngine(name: string): Promise<Engine | undefined> {
  const open = engines.get(name);
  if (!open) throw new Error(`"${name}" is none of ${engineNames.join(', ')}`);
  return open();
}

async function inProcess(): Promise<Engine | undefined> {
  return { name: 'in-process on SQLite', newLedger: async () => ({}), async stop() {} };
}

async function onServers(): Promise<Engine | undefined> {
  const { redisServer, postgresBin } = findTestPrograms({ redis: true, postgres: true });
  if (!redisServer || !postgresBin) {
    console.error('LEFT OUT: BullMQ with PostgreSQL, since their servers could not be had.');
    return undefined;
  }
  const redis = await startPrivateRedis(redisServer);
  const postgres = await startPrivatePostgres(postgresBin, { fsync: true });
  return {
    name: 'BullMQ and PostgreSQL',
    async newLedger() {
      const { url } = await createPostgresDatabase(postgres.url);
      return { REDIS_URL: redis.url, DATABASE_URL: url };
    },
    async stop() {
      await redis.stop();
      await postgres.stop();
    },
  };
}
