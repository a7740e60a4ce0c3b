import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import type { PrivatePostgres } from '../support/private-postgres.ts';
import type { Combination } from './combination.ts';
import { type CrashingRedis, startRedis } from './redis.ts';
import { type CrashingSandbox, startSandbox, TOKEN } from './sandbox.ts';
import type { Servers } from './servers.ts';
import { createSource, MARK, type Source } from './source.ts';

/** Requests in flight, as configured. */
export const CONCURRENCY = 4;

/** A website with its feeds, its CMS, and a ledger and queue that can be taken down. */
export interface Site {
  dir: string;
  source: Source;
  sandbox: CrashingSandbox;
  redis?: CrashingRedis;
  postgres?: PrivatePostgres;
  /** Environment variables for a process that works on this site. */
  variables: Record<string, string>;
  /** Stops its servers; `keep` leaves its folder for whoever wants to see what went wrong. */
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
  lookupAfter: 300ms
`;

const EVENTS = `resource: events
source: { connector: csv, url: ../feeds/events.csv }
key: id
map: { title: title, description: text, date: date, time.start: start }
attachments: { image: image }
missing: { policy: delete, threshold: { percent: 100 } }
`;

const ACCOUNTS = `resource: accounts
source: { connector: csv, url: ../feeds/accounts.csv }
key: id
map: { email: email, username: username, firstName: first, lastName: last }
missing: { policy: set, set: { department: ${MARK} }, threshold: { percent: 100 } }
`;

export async function openSite({ ledger, queue }: Combination, servers: Servers): Promise<Site> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-crash-'));
  for (const folder of ['config/syncs', 'config/feeds', 'redis']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'config/feedferry.yaml'), TARGET);
  writeFileSync(join(dir, 'config/syncs/events.yaml'), EVENTS);
  writeFileSync(join(dir, 'config/syncs/accounts.yaml'), ACCOUNTS);

  const { redisServer = 'redis-server' } = servers.programs;
  const redis = queue === 'bullmq' ? await startRedis(redisServer, join(dir, 'redis')) : undefined;
  const postgres = ledger === 'postgresql' ? await servers.postgres() : undefined;
  const database = postgres && (await createPostgresDatabase(postgres.url));
  const sandbox = await startSandbox(dir);
  return {
    dir,
    source: createSource(join(dir, 'config/feeds')),
    sandbox,
    ...(redis ? { redis } : {}),
    ...(postgres ? { postgres } : {}),
    variables: {
      CMS_BASE_URL: sandbox.url,
      CMS_API_TOKEN: TOKEN,
      FEEDFERRY_CONFIG: join(dir, 'config'),
      FEEDFERRY_DATA: join(dir, 'data'),
      LOG_LEVEL: 'warn',
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
