import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, readEnvironment } from '../../../app/environment.ts';
import { loadAppConfig } from '../../../app/load-config.ts';
import { createLog } from '../../../app/log.ts';
import { packageDir } from '../../../app/version.ts';
import type { RunReport } from '../../../core/run.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { syncRun } from '../../../sync/runs/sync-run.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { colour, print, printJson } from '../../output/print.ts';
import { createProgressLine } from '../../output/progress.ts';
import { toRunResult } from '../../output/run-result.ts';
import { printDetails, runsTable } from '../../output/run-tables.ts';
import { withApp } from '../../with-app.ts';
import { sourceEdits } from './demo-edits.ts';
import { findRedisServer, type PrivateRedis, startPrivateRedis } from './private-redis.ts';

export const demoCommand = defineCommand('demo')
  .option('--keep', 'keep the sandbox running, to look at its pages')
  .action(execute(demo));

async function demo({ environment, signal }: CommandContext, { keep }: { keep?: boolean }): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-demo-'));
  const { startSandbox } = await import('../../../sandbox/server.ts');
  const sandbox = await startSandbox({ dataDir: join(dir, 'sandbox'), timezone: 'America/New_York' });
  const redisServer = environment.redisUrl ? undefined : findRedisServer();
  const redis = redisServer ? await startPrivateRedis(redisServer) : undefined;
  try {
    cpSync(join(packageDir(), 'config'), join(dir, 'config'), { recursive: true });
    const demoEnvironment = readEnvironment({
      CMS_BASE_URL: sandbox.url,
      CMS_API_TOKEN: sandbox.token,
      FEEDFERRY_DATA: join(dir, 'data'),
      FEEDFERRY_CONFIG: join(dir, 'config'),
      REDIS_URL: redis?.url ?? environment.redisUrl,
    });
    print(`The sandbox CMS is at ${sandbox.url}. Deliveries go through ${queueName(environment, redis)}.`);
    const { runs, asExpected } = await threePasses(demoEnvironment, sandbox, join(dir, 'config'), signal);
    if (keep && !signal.aborted) await showUntilStopped(sandbox, signal);
    printJson({ runs: runs.map(toRunResult) });
    return asExpected ? EXIT.success : EXIT.failed;
  } finally {
    await redis?.stop();
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function threePasses(environment: Environment, sandbox: Sandbox, configDir: string, signal: AbortSignal) {
  print(colour('bold', '\n1. Everything is new: files are uploaded, items are created.'));
  const first = await pass(environment, sandbox, signal);
  for (const run of first.runs) printDetails(run);

  print(colour('bold', '\n2. The sources have changed: only the differences are sent.'));
  applyEdits(configDir);
  const second = await pass(environment, sandbox, signal);

  print(colour('bold', '\n3. Nothing has changed: nothing is sent.'));
  const third = await pass(environment, sandbox, signal);

  const updated = second.runs.reduce((sum, run) => sum + run.counts.updated, 0);
  const asExpected =
    first.runs.every((run) => run.counts.created > 0 && run.counts.failed + run.counts.held === 0) &&
    updated === sourceEdits.length &&
    second.writes === updated &&
    third.writes === 0;
  if (!asExpected) print(colour('red', '\nThe results are not as expected. Please report this.'));
  return { runs: [...first.runs, ...second.runs, ...third.runs], asExpected };
}

/** Runs all syncs once, as a process of its own would, and counts the writes that the sandbox received. */
async function pass(environment: Environment, sandbox: Sandbox, signal: AbortSignal) {
  const before = writesOf(sandbox);
  const progress = createProgressLine();
  const runs: RunReport[] = [];
  await withApp(loadAppConfig(environment), { environment, openLog: () => createLog('error') }, async (app) => {
    for (const sync of app.config.syncs) {
      runs.push(await syncRun(app.contextOf(sync, { signal, onProgress: progress.show })));
      progress.clear();
    }
  });
  const writes = writesOf(sandbox) - before;
  print(`${runsTable(runs)}\nRequests that changed something in the CMS: ${writes}`);
  return { runs, writes };
}

function writesOf(sandbox: Sandbox): number {
  const requests = Object.entries(sandbox.stats().requests);
  return requests.filter(([kind]) => !kind.startsWith('GET ')).reduce((sum, [, count]) => sum + count, 0);
}

function applyEdits(configDir: string): void {
  for (const { file, what, from, to } of sourceEdits) {
    const path = join(configDir, 'syncs', 'feeds', file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} no longer holds "${from}"`);
    writeFileSync(path, text.replace(from, to));
    print(`   ${file}: ${what}`);
  }
}

async function showUntilStopped(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const headers = { Accept: 'application/json', 'User-Agent': 'feedferry', Authorization: `Bearer ${sandbox.token}` };
  const response = await fetch(`${sandbox.url}/api/v1/calendar/events?limit=100`, { headers });
  const { data } = (await response.json()) as { data: Array<{ url: string; image?: unknown }> };
  const shown = data.find((event) => event.image) ?? data[0];
  print(`\nAn imported event: ${new URL(shown?.url ?? '/', sandbox.url)}\nPress Ctrl-C to stop the sandbox.`);
  if (!signal.aborted) await once(signal, 'abort');
}

function queueName(environment: Environment, redis: PrivateRedis | undefined): string {
  if (environment.redisUrl) return 'BullMQ on the Redis of REDIS_URL';
  return redis ? 'BullMQ on a private redis-server' : 'the in-process queue (no Redis found)';
}
