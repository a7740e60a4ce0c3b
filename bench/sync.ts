// Records a second and peak memory of `feedferry sync` on a CSV of events, against the sandbox in a process of its own:
// npm run bench:sync -- [--records 5000]
// Each engine runs three times: everything new, one record in ten changed, nothing changed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { findRedisServer, startPrivateRedis } from '../src/cli/private-redis.ts';

const { values } = parseArgs({ options: { records: { type: 'string', default: '5000' } } });
const records = Number(values.records);
const main = join(import.meta.dirname, '../src/cli/main.ts');
const node = ['--disable-warning=ExperimentalWarning'];

const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
const redisServer = findRedisServer();
const redis = redisServer ? await startPrivateRedis(redisServer) : undefined;
try {
  await measure('in-process', {});
  if (redis) await measure('bullmq', { REDIS_URL: redis.url });
  else console.log('bullmq: left out, there is no redis-server');
} finally {
  await redis?.stop();
  rmSync(dir, { recursive: true, force: true });
}

async function measure(engine: string, variables: Record<string, string>): Promise<void> {
  const home = join(dir, engine);
  const sandbox = spawn(process.execPath, [...node, main, 'sandbox', '--memory', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { url, token } = JSON.parse(await firstLine(sandbox)) as { url: string; token: string };
    const env = {
      ...process.env,
      ...variables,
      CMS_BASE_URL: url,
      CMS_API_TOKEN: token,
      FEEDFERRY_DATA: join(home, 'data'),
    };
    for (const [pass, changedEvery] of [
      ['create', 0],
      ['patch 1 in 10', 10],
      ['unchanged', 10],
    ] as const) {
      writeConfig(home, changedEvery);
      const { seconds, peakBytes, counts } = await sync(join(home, 'config'), env);
      const rate = Math.round(records / seconds);
      const done = `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged`;
      console.log(
        `${engine}, ${pass}: ${seconds.toFixed(2)} s, ${rate} records/s, peak ${Math.round(peakBytes / 1e6)} MB (${done})`,
      );
    }
  } finally {
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  }
}

async function sync(config: string, env: NodeJS.ProcessEnv) {
  const startedAt = performance.now();
  const preload = ['--import', join(import.meta.dirname, 'peak-memory.ts')];
  const child = spawn(process.execPath, [...node, ...preload, main, 'sync', '--json', '--config', config], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [stdout, peak] = await Promise.all([
    text(child.stdout as never),
    text(child.stdio[3] as never),
    once(child, 'exit'),
  ]);
  const { runs } = JSON.parse(stdout) as { runs: Array<{ status: string; counts: Record<string, number> }> };
  const [run] = runs;
  if (run?.status !== 'success') throw new Error(`the run ended ${run?.status}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakBytes: Number(peak), counts: run.counts };
}

function writeConfig(home: string, changedEvery: number): void {
  mkdirSync(join(home, 'config', 'syncs'), { recursive: true });
  const target = ['baseUrl: ${CMS_BASE_URL}', 'token: ${CMS_API_TOKEN}', 'timezone: Europe/Berlin', 'concurrency: 32'];
  writeFileSync(join(home, 'config', 'feedferry.yaml'), `target:\n  ${target.join('\n  ')}\n`);
  writeFileSync(
    join(home, 'config', 'syncs', 'events.yaml'),
    `resource: events
source: { connector: csv, url: ./events.csv }
key: id
map: { title: title, date: date, endDate: date, time.start: start, time.end: end, description: { field: text, html: sanitize } }
`,
  );
  const rows = Array.from({ length: records }, (_, index) => {
    const changed = changedEvery > 0 && index % changedEvery === 0 ? ' (changed)' : '';
    const day = String(1 + (index % 28)).padStart(2, '0');
    return `${index},"Event ${index}${changed}",2027-05-${day},10:00,11:30,"<p>Number ${index}, with <b>words</b></p>"`;
  });
  writeFileSync(join(home, 'config', 'syncs', 'events.csv'), ['id,title,date,start,end,text', ...rows].join('\n'));
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the sandbox has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}
