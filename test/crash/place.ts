import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivatePostgres } from '../support/private-postgres.ts';
import type { Combination } from './combination.ts';
import { type CrashingLedger, createPostgresLedger, createSqliteLedger } from './ledger.ts';
import { type CrashingRedis, startRedis } from './servers/redis.ts';
import { type CrashingSandbox, startSandbox, TOKEN } from './servers/sandbox.ts';
import type { Servers } from './servers/servers.ts';

/** Requests in flight, as configured. */
export const CONCURRENCY = 4;

/** A config folder, a CMS, and a ledger and queue that can be taken down. */
export interface Place {
  dir: string;
  sandbox: CrashingSandbox;
  ledger: CrashingLedger;
  redis?: CrashingRedis;
  postgres?: PrivatePostgres;
  /** Environment variables for a process that works there. */
  variables: Record<string, string>;
  /** Stops its servers; `keep` keeps its folder, for finding out what went wrong. */
  close(keep: boolean): Promise<void>;
}

/** When a create without an answer is looked up. */
export const LOOK_UP_AFTER_MS = 2_000;

const TARGET = `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: America/New_York
  concurrency: ${CONCURRENCY}
  backoff: 100ms
  maxBackoff: 400ms
  timeout: ${LOOK_UP_AFTER_MS}ms
`;

const EXTERNAL_ID = '  externalId: source_key\n';

/**
 * @param syncs file in `syncs` → content
 * @param options `externalId`: whether items carry external ids, in `source_key`
 */
export async function openPlace(
  combination: Combination,
  servers: Servers,
  syncs: Readonly<Record<string, string>>,
  { externalId = true } = {},
): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-crash-'));
  for (const folder of ['config/syncs', 'config/feeds', 'redis']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'config/feedferry.yaml'), TARGET + (externalId ? EXTERNAL_ID : ''));
  for (const [file, content] of Object.entries(syncs)) writeFileSync(join(dir, 'config/syncs', file), content);

  const { redisServer = 'redis-server' } = servers.programs;
  const redis = combination.queue === 'bullmq' ? await startRedis(redisServer, join(dir, 'redis')) : undefined;
  const postgres = combination.ledger === 'postgresql' ? await servers.postgres() : undefined;
  const ledger = postgres ? await createPostgresLedger(postgres, dir) : createSqliteLedger(dir);
  const sandbox = await startSandbox(dir);
  return {
    dir,
    sandbox,
    ledger,
    ...(redis ? { redis } : {}),
    ...(postgres ? { postgres } : {}),
    variables: {
      CMS_BASE_URL: sandbox.url,
      CMS_API_TOKEN: TOKEN,
      FEEDFERRY_CONFIG: join(dir, 'config'),
      ...ledger.variables,
      LOG_LEVEL: 'warn',
      TAKE_OVER_AFTER: '1.5',
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    async close(keep) {
      await sandbox.stop();
      await redis?.stop();
      if (keep) return;
      await ledger.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
