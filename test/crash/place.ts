import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import type { PrivatePostgres } from '../support/private-postgres.ts';
import type { Combination } from './combination.ts';
import { type CrashingRedis, startRedis } from './servers/redis.ts';
import { type CrashingSandbox, startSandbox, TOKEN } from './servers/sandbox.ts';
import type { Servers } from './servers/servers.ts';

/** Requests in flight, as configured. */
export const CONCURRENCY = 4;

/** A config folder, a CMS, and a ledger and queue that can be taken down. */
export interface Place {
  dir: string;
  sandbox: CrashingSandbox;
  redis?: CrashingRedis;
  postgres?: PrivatePostgres;
  /** Environment variables for a process that works there. */
  variables: Record<string, string>;
  /** Stops its servers; `keep` keeps its folder, for finding out what went wrong. */
  close(keep: boolean): Promise<void>;
}

const TARGET = `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: America/New_York
  externalId: source_key
  concurrency: ${CONCURRENCY}
  backoff: 100ms
  maxBackoff: 400ms
  timeout: 3s
`;

/** @param syncs file in `syncs` → content */
export async function openPlace(
  { ledger, queue }: Combination,
  servers: Servers,
  syncs: Readonly<Record<string, string>>,
): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-crash-'));
  for (const folder of ['config/syncs', 'config/feeds', 'redis']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'config/feedferry.yaml'), TARGET);
  for (const [file, content] of Object.entries(syncs)) writeFileSync(join(dir, 'config/syncs', file), content);

  const { redisServer = 'redis-server' } = servers.programs;
  const redis = queue === 'bullmq' ? await startRedis(redisServer, join(dir, 'redis')) : undefined;
  const postgres = ledger === 'postgresql' ? await servers.postgres() : undefined;
  const database = postgres && (await createPostgresDatabase(postgres.url));
  const sandbox = await startSandbox(dir);
  return {
    dir,
    sandbox,
    ...(redis ? { redis } : {}),
    ...(postgres ? { postgres } : {}),
    variables: {
      CMS_BASE_URL: sandbox.url,
      CMS_API_TOKEN: TOKEN,
      FEEDFERRY_CONFIG: join(dir, 'config'),
      FEEDFERRY_DATA: join(dir, 'data'),
      LOG_LEVEL: 'warn',
      TAKE_OVER_AFTER: '1.5',
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    async close(keep) {
      await sandbox.stop();
      await redis?.stop();
      if (keep) return;
      await database?.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
