// npm run dev -- bench:scale [--syncs 1000] [--records 1000] [--runs 100] [--engine sqlite|postgresql]…
// What a ledger of many syncs costs: whole commands as users wait for them, a sweep, claims, and what is read from end to end.
// One sync creates its records in the fast CMS; plain SQL copies what it left in the ledger for the other syncs. `--records` and
// `--runs` are those of each sync. Linux only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProgram } from '../scripts/build-program.ts';
import { type Environment, readEnvironment } from '../src/app/environment.ts';
import { loadAppConfig } from '../src/app/load-config.ts';
import type { RunResult } from '../src/core/run.ts';
import { inspectLedger } from '../src/ledger/database/inspect.ts';
import { sqliteFile } from '../src/ledger/database/open.ts';
import { openLedger } from '../src/ledger/ledger.ts';
import { claimTimes } from './claim-times.ts';
import { startCms } from './cms-process.ts';
import { copyLedger } from './copy-ledger.ts';
import { writeEvents } from './event-sync.ts';
import { onEachEngine } from './ledger-engines.ts';
import { timed } from './ledger-life.ts';
import { FIRST, writeManySyncs } from './many-syncs.ts';
import { runMeasured } from './measured-process.ts';
import { runService } from './measured-service.ts';
import { createScanWatch } from './scan-watch.ts';
import { openSqlClient, type SqlClient } from './sql-client.ts';
import { markdown } from './table.ts';
import type { Usage } from './usage.ts';

const MAIN = join(import.meta.dirname, '../dist/src/cli/main.js');
/** One record in so many changes. */
const CHANGED_EVERY = 100;

const { values } = parseArgs({
  options: {
    syncs: { type: 'string', default: '1000' },
    records: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '100' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgresql'] },
  },
});
const [syncs, records, runs] = [Number(values.syncs), Number(values.records), Number(values.runs)];

buildProgram();
await onEachEngine(values.engine, bench);

async function bench(name: string, database: Record<string, string>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  const cms = await startCms(0);
  const site = { CMS_BASE_URL: cms.url, CMS_API_TOKEN: cms.token, FEEDFERRY_DATA: join(dir, 'data') };
  const variables = { ...site, ...database, FEEDFERRY_CONFIG: join(dir, 'config'), LOG_LEVEL: 'warn' };
  const environment = readEnvironment(variables);
  try {
    const feed = writeManySyncs(environment.configDir, syncs);
    const sync = () => runMeasured(MAIN, ['sync', FIRST, '--json'], variables);
    writeEvents(feed, records);
    await sync();
    writeEvents(feed, records, CHANGED_EVERY);
    await sync();
    const last = runIn((await sync()).stdout);

    const { databaseUrl } = environment;
    const ledgerFile = sqliteFile(environment.dataDir);
    const client = await openSqlClient({ databaseUrl, file: ledgerFile });
    try {
      console.error(`${name}: copying …`);
      await copyLedger(client, { syncs: syncs - 1, runs, last });
      if (databaseUrl) await client.all('vacuum analyze');
      else await client.all('pragma wal_checkpoint(truncate)');
      const state = await inspectLedger(environment);
      const { rows, scans } = await measure(name, { client, environment, variables, ledgerFile, feed });
      console.log(report(name, [...sizeRows(state), ...rows], scans));
    } finally {
      await client.close();
    }
  } finally {
    await cms.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Bench {
  client: SqlClient;
  environment: Environment;
  variables: Record<string, string>;
  ledgerFile: string;
  /** Of the first sync. */
  feed: string;
}

/** Measures one thing after the other, and what each reads from end to end. */
async function measure(name: string, { client, environment, variables, ledgerFile, feed }: Bench) {
  const scans = createScanWatch(client, ledgerFile);
  const rows: string[][] = [];
  const command = async (title: string, ...args: string[]) => {
    console.error(`${name}: ${title} …`);
    writeEvents(feed, records);
    rows.push(usageRow(title, await runMeasured(MAIN, args, variables)));
    writeEvents(feed, records, CHANGED_EVERY);
    await scans.watch(title, (options, more) => runMeasured(MAIN, args, { ...variables, ...more }, options));
  };

  await command('`validate`', 'validate');
  await command('`status`', 'status');
  await command('`status` of one sync', 'status', FIRST);
  await command('`sync` of one sync, 1 % changed', 'sync', FIRST, '--json');

  console.error(`${name}: start …`);
  const service = await runService(MAIN, variables);
  rows.push(usageRow('`start`', service));
  rows.push(['`start`: CPU in its first minute at work', '', service.idleCpuSeconds.toFixed(1), '']);
  await scans.watch('`start`', (options, more) => runService(MAIN, { ...variables, ...more }, options));

  const { retention } = loadAppConfig(environment);
  const sweep = async () => {
    const ledger = await openLedger(environment);
    const { signal } = new AbortController();
    let deleted = 0;
    const ms = await timed(async () => {
      deleted = await ledger.retention.run(retention, signal);
    });
    await ledger.close();
    return { ms, deleted };
  };
  for (const title of ['a sweep', 'the next sweep']) {
    console.error(`${name}: ${title} …`);
    const { ms, deleted } = await sweep();
    rows.push([`${title}, ${deleted} rows deleted`, (ms / 1000).toFixed(2), '', '']);
  }
  await scans.watchHere('a sweep', sweep);

  console.error(`${name}: claims …`);
  const { p50, p99 } = await claimTimes(client, environment, { syncs, records });
  rows.push(['a claim of 100 records: p50', `${p50.toFixed(1)} ms`, '', '']);
  rows.push(['a claim of 100 records: p99', `${p99.toFixed(1)} ms`, '', '']);
  return { rows, scans: scans.found };
}

function runIn(stdout: string): string {
  const [run] = (JSON.parse(stdout) as { runs: RunResult[] }).runs;
  if (!run) throw new Error(stdout);
  return run.run;
}

function usageRow(title: string, { seconds, cpuSeconds, peakBytes }: Usage & { seconds: number }): string[] {
  return [title, seconds.toFixed(2), cpuSeconds.toFixed(2), (peakBytes / 2 ** 20).toFixed(0)];
}

function sizeRows(state: Awaited<ReturnType<typeof inspectLedger>>): string[][] {
  const sizes = Object.entries(state?.rows ?? {}).map(([table, count]) => [`rows of ${table}`, String(count), '', '']);
  return [['database', `${((state?.bytes ?? 0) / 1e6).toFixed(0)} MB`, '', ''], ...sizes];
}

function report(name: string, rows: string[][], scans: readonly string[]): string {
  const heading = `## ${name}: ${syncs} syncs of ${records} records, ${runs} runs each`;
  const table = markdown(['', 's', 'CPU s', 'peak MiB'], rows);
  const read = scans.length > 0 ? scans.map((scan) => `- ${scan}`) : ['- nothing'];
  return ['', heading, '', table, '', 'Large tables that were read from end to end:', '', ...read].join('\n');
}
