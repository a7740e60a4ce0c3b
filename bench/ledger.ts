// npm run dev -- bench:ledger [--records 10000] [--runs 100] [--engine sqlite|postgresql]…
// What years do to a ledger: its size and how long things take, after the first run and after the last. The first run creates
// all records in a sandbox; ledger-life.ts describes the runs between, and what is not part of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Environment, readEnvironment } from '../src/app/environment.ts';
import { loadAppConfig } from '../src/app/load-config.ts';
import { inspectLedger } from '../src/ledger/database/inspect.ts';
import { type Ledger, openLedger } from '../src/ledger/ledger.ts';
import { startCms } from './cms-process.ts';
import { writeEventSync, writeEvents } from './event-sync.ts';
import { onEachEngine } from './ledger-engines.ts';
import { type Life, liveThrough, timed } from './ledger-life.ts';
import { type Measured, runMeasured } from './measured-process.ts';
import { markdown, median } from './table.ts';

const MAIN = join(import.meta.dirname, '../src/cli/main.ts');
/** Of the runs, the first and the last so many are compared. */
const COMPARED = 20;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '100' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgresql'] },
  },
});
const [records, runs] = [Number(values.records), Number(values.runs)];

await onEachEngine(values.engine, bench);

async function bench(name: string, database: Record<string, string>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  const sandbox = await startCms(0);
  const config = join(dir, 'config');
  const site = { CMS_BASE_URL: sandbox.url, CMS_API_TOKEN: sandbox.token, FEEDFERRY_DATA: join(dir, 'data') };
  const variables = { ...site, ...database, FEEDFERRY_CONFIG: config };
  const environment = readEnvironment(variables);
  const sync = () => runMeasured(MAIN, ['sync', '--json'], variables);
  try {
    writeEvents(writeEventSync(config), records);
    const { retention } = loadAppConfig(environment);
    console.error(`${name}: creating ${records} records …`);
    await sync();
    const ledger = await openLedger(environment);
    const look = () => lookAt(ledger, environment, sync);
    const first = await look();
    console.error(`${name}: ${runs} runs …`);
    const life = await liveThrough(runs, { records, ledger, retention });
    const last = await look();
    await ledger.close();
    console.log(report(name, first, last, life));
  } finally {
    await sandbox.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How large a ledger is, and how long what is done all the time takes, in ms. */
async function lookAt(ledger: Ledger, environment: Environment, sync: () => Promise<Measured>) {
  const { runs, alerts } = ledger;
  const fullRun = (await sync()).seconds * 1000;
  const state = await inspectLedger(environment);
  return {
    bytes: state?.bytes ?? 0,
    rows: state?.rows ?? {},
    fullRun,
    status: await usual(async () => [await runs.lastBegun('events'), await ledger.records.undelivered('events', 5)]),
    health: await usual(() => alerts.health('events')),
    lists: await usual(async () => [await runs.newest({ limit: 50 }), await runs.underWay()]),
  };
}

async function usual(question: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < COMPARED; nth += 1) times.push(await timed(question));
  return median(times);
}

type Look = Awaited<ReturnType<typeof lookAt>>;

function report(name: string, first: Look, last: Look, life: Life): string {
  const row = (title: string, value: (look: Look) => string) => [title, value(first), value(last)];
  const rows = [
    row('database, MB', ({ bytes }) => (bytes / 1e6).toFixed(1)),
    ...Object.keys(last.rows).map((table) => row(`rows of ${table}`, ({ rows }) => String(rows[table]))),
    row('`sync` of an unchanged feed, s', ({ fullRun }) => (fullRun / 1000).toFixed(2)),
    row('`status`, ms', ({ status }) => status.toFixed(1)),
    row('health of a sync (alerts), ms', ({ health }) => health.toFixed(1)),
    row('lists of runs (HTTP), ms', ({ lists }) => lists.toFixed(1)),
    [
      'what a run with 1 % changes writes, ms',
      median(life.runs.slice(0, COMPARED)),
      median(life.runs.slice(-COMPARED)),
    ],
    ['a sweep, ms', median(life.sweeps.slice(0, COMPARED)), median(life.sweeps.slice(-COMPARED))],
  ].map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell)));
  const heading = `## ${name}: ${records} records, ${runs} runs`;
  return ['', heading, '', markdown(['', 'after the first run', 'after the last'], rows)].join('\n');
}
