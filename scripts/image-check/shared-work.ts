import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestCms, type TestCms } from '../../test/support/cms/start-cms.ts';
import type { TestPrograms } from '../../test/support/find-programs.ts';
import { startPrivatePostgres } from '../../test/support/private-postgres.ts';
import { startPrivateRedis } from '../../test/support/private-redis.ts';
import { freePort } from './checks.ts';
import { type Containers, explain } from './containers.ts';
import type { RunOptions } from './engine.ts';

const RECORDS = 400;
const WORKERS = 2;
const TOKEN = 'token-of-the-check';
const SECRETS = '/run/secrets';
const TARGET = `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: America/New_York
  externalId: source_key
  concurrency: 6
`;
const SYNC = `resource: events
source: { connector: csv, url: ./talks.csv }
key: id
map: { title: title, date: date, time.start: start }
`;
/** Makes each request slow, so that all processes have a share of the work. */
const LATENCY = { seed: 1, faults: [{ kind: 'latency' as const, ms: 20 }] };

/**
 * Lets one container plan a run. This container and two workers deliver the run over a private Redis and PostgreSQL. All
 * containers have their secrets only in files, as in docker-compose.yml.
 */
export async function shareWork(
  containers: Containers,
  { redisServer, postgresBin }: Required<TestPrograms>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-shared-'));
  const redis = await startPrivateRedis(redisServer);
  const postgres = await startPrivatePostgres(postgresBin);
  const sandbox = await startTestCms({ memory: true, token: TOKEN, timezone: 'America/New_York', faults: LATENCY });
  try {
    // By default, only the user who started this Redis can connect to its socket.
    chmodSync(dirname(redis.url), 0o755);
    chmodSync(redis.url, 0o777);
    const { socketDir, url } = inContainer(postgres.url);
    const options = {
      env: { ...writeSecrets(join(dir, 'secrets'), { database_url: url }), CMS_BASE_URL: sandbox.url },
      mounts: [
        { source: writeConfig(join(dir, 'config')), target: '/app/config' },
        { source: join(dir, 'secrets'), target: SECRETS },
        { source: dirname(redis.url), target: '/run/redis' },
        { source: socketDir, target: '/run/postgresql' },
      ],
    };
    await deliverTogether(containers, options, sandbox);
  } finally {
    await containers.killAll();
    await sandbox.close();
    await redis.stop();
    await postgres.stop();
    rmSync(dir, { recursive: true });
  }
}

async function deliverTogether(
  { run, start }: Containers,
  { env, mounts }: Required<Pick<RunOptions, 'env' | 'mounts'>>,
  sandbox: TestCms,
): Promise<void> {
  const ports = await Promise.all(Array.from({ length: WORKERS }, freePort));
  const workers = ports.map((port) => start({ args: ['worker'], env: { ...env, HTTP_PORT: String(port) }, mounts }));
  await Promise.all(workers.map((worker) => worker.untilHealthy()));

  const end = await run({ args: ['sync', 'talks', '--json'], env, mounts });
  if (end.code !== 0) throw new Error(`the run failed: ${explain(end)}`);
  const created = await Promise.all(ports.map(createdBy));
  if (created.some((count) => count === 0)) throw new Error(`the workers have created ${created.join(' and ')} items`);
  expectEachOnce(sandbox);

  for (const worker of workers) {
    const stopped = await worker.stop();
    if (stopped.code !== 143) throw new Error(`a worker ended with ${explain(stopped)}`);
  }
  console.log(
    `     ${RECORDS} items: ${created.join(' and ')} by the workers, the others by the container that planned the run`,
  );
}

/** Returns how many items a worker has created, according to its metrics. */
async function createdBy(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = metrics.matchAll(/^feedferry_cms_request_duration_seconds_count\{(.*)\} (\d+)$/gm);
  return [...counts]
    .filter(([, labels = '']) => /operation="events\.create",status="2/.test(labels))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

function expectEachOnce(sandbox: TestCms): void {
  const titles = sandbox.journal().flatMap(({ change }) => (change?.after ? [change.after.title] : []));
  const different = new Set(titles);
  if (titles.length !== RECORDS || different.size !== RECORDS)
    throw new Error(`${titles.length} items were created for ${RECORDS} records, ${different.size} of them different`);
}

function inContainer(url: string): { socketDir: string; url: string } {
  const [, host = ''] = /@([^/]+)\//.exec(url) ?? [];
  return { socketDir: decodeURIComponent(host), url: url.replace(host, encodeURIComponent('/run/postgresql')) };
}

/** Writes the secrets, and returns the variables that name their files. */
function writeSecrets(folder: string, addresses: Record<string, string>): Record<string, string> {
  const secrets = {
    cms_api_token: TOKEN,
    redis_url: '/run/redis/redis.sock',
    feedferry_secret: 'secret',
    ...addresses,
  };
  mkdirSync(folder);
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), `${value}\n`);
  return Object.fromEntries(Object.keys(secrets).map((name) => [`${name.toUpperCase()}_FILE`, `${SECRETS}/${name}`]));
}

function writeConfig(folder: string): string {
  const rows = Array.from({ length: RECORDS }, (_, index) => `${index},Talk ${index},2027-03-01,18:00\n`);
  mkdirSync(join(folder, 'syncs'), { recursive: true });
  writeFileSync(join(folder, 'feedferry.yaml'), TARGET);
  writeFileSync(join(folder, 'syncs/talks.yaml'), SYNC);
  writeFileSync(join(folder, 'syncs/talks.csv'), `id,title,date,start\n${rows.join('')}`);
  return folder;
}
