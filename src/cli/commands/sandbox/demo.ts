import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, readEnvironment } from '../../../app/environment.ts';
import { loadAppConfig } from '../../../app/load-config.ts';
import { createLog } from '../../../app/log.ts';
import { packageDir } from '../../../app/version.ts';
import { CodedError } from '../../../core/errors.ts';
import type { CountName, RunReport } from '../../../core/run.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { syncRun } from '../../../sync/runs/sync-run.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { colour, print, printJson } from '../../output/print.ts';
import { createProgressLine } from '../../output/progress.ts';
import { toRunResult } from '../../output/run-result.ts';
import { printDetails, runsTable } from '../../output/run-tables.ts';
import { withApp } from '../../with-app.ts';

/** The zone of the examples. */
const TIMEZONE = 'America/New_York';

/** Changes of the sources between the first and the second pass of the demo, each of one record. */
const sourceEdits = [
  {
    file: 'museum-events.csv',
    what: '“How to Read a Portolan Chart” starts half an hour later',
    from: 'TK-0412,How to Read a Portolan Chart,2026-01-22,,18:30,20:00',
    to: 'TK-0412,How to Read a Portolan Chart,2026-01-22,,19:00,20:30',
  },
  {
    file: 'museum-events.csv',
    what: '“Lunchtime Piano” gets another picture',
    from: 'CON,Atrium,Free with admission,files/concert.jpg',
    to: 'CON,Atrium,Free with admission,files/gallery.png',
  },
  {
    file: 'campus-calendar.ics',
    what: '“Spring break” is named after its year',
    from: 'SUMMARY:Spring break',
    to: 'SUMMARY:Spring break 2026',
  },
  {
    file: 'staff.json',
    what: 'Amara Okonkwo has a new phone number',
    from: '"office": "+1 207 555 0100"',
    to: '"office": "+1 207 555 0199"',
  },
];

export const demoCommand = defineCommand('demo')
  .option('--keep', 'keep the folder of the demo, and its sandbox running until Ctrl-C')
  .action(execute(demo));

type Say = (text: string) => void;

async function demo({ environment, json, signal }: CommandContext, { keep }: { keep?: boolean }): Promise<number> {
  const say: Say = json ? () => {} : print;
  const examples = join(packageDir(), 'examples');
  if (!existsSync(examples)) throw noExamples(examples);
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-demo-'));
  // `feedferry sandbox` looks for its data in the same folder.
  const dataDir = join(dir, '.feedferry');
  const { startSandbox } = await import('../../../sandbox/server.ts');
  const sandbox = await startSandbox({ dataDir: join(dataDir, 'sandbox'), timezone: TIMEZONE });
  try {
    cpSync(examples, join(dir, 'config'), { recursive: true });
    const site = { CMS_BASE_URL: sandbox.url, CMS_API_TOKEN: sandbox.token };
    const demoEnvironment = readEnvironment({
      ...site,
      FEEDFERRY_DATA: dataDir,
      FEEDFERRY_CONFIG: join(dir, 'config'),
      REDIS_URL: environment.redisUrl,
    });
    const queue = environment.redisUrl ? 'BullMQ on the Redis of REDIS_URL' : 'the in-process queue';
    say(`The sandbox CMS is at ${sandbox.url}. Deliveries go through ${queue}.`);
    const { runs, asExpected } = await threePasses(demoEnvironment, { sandbox, say, signal });
    if (asExpected && !signal.aborted) say(nextSteps(keep));
    if (keep) {
      writeFileSync(
        join(dir, '.env'),
        Object.entries(site)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      );
      say(await describeKept(dir, sandbox));
      if (!signal.aborted) await once(signal, 'abort');
    }
    if (json) printJson({ runs: runs.map(toRunResult) });
    return asExpected ? EXIT.success : EXIT.failed;
  } finally {
    await sandbox.close();
    if (!keep) rmSync(dir, { recursive: true, force: true });
  }
}

function noExamples(folder: string): CodedError {
  return new CodedError('FF_USAGE', `The demo needs its example syncs, and ${folder} does not exist.`, {
    remedy: 'The image has no examples. Run the demo in a checkout, `npm run demo`, or from the npm package.',
  });
}

interface Stage {
  sandbox: Sandbox;
  say: Say;
  signal: AbortSignal;
}

async function threePasses(environment: Environment, stage: Stage) {
  const { say } = stage;
  say(colour('bold', '\n1. Everything is new: files are uploaded, items are created.'));
  const first = await pass(environment, stage);
  if (say === print) for (const run of first.runs) printDetails(run);
  say(`\n${explainPartial(first.runs)}`);

  say(colour('bold', '\n2. The sources have changed: only the differences are sent.'));
  applyEdits(environment.configDir, say);
  const second = await pass(environment, stage);

  say(colour('bold', '\n3. Nothing has changed: nothing is sent.'));
  const third = await pass(environment, stage);

  const updated = sumOf(second.runs, 'updated');
  const asExpected =
    first.runs.every((run) => run.counts.created > 0 && run.counts.failed + run.counts.held === 0) &&
    updated === sourceEdits.length &&
    second.writes === updated &&
    third.writes === 0;
  if (!asExpected) say(colour('red', '\nThe results are not as expected. Please report this.'));
  return { runs: [...first.runs, ...second.runs, ...third.runs], asExpected };
}

function explainPartial(runs: readonly RunReport[]): string {
  const rejected = `${sumOf(runs, 'rejected')} of the ${sumOf(runs, 'read')} records`;
  return `“partial” is as it should be: ${rejected} are wrong on purpose, to show how mistakes are reported. They do not stop the others.`;
}

function sumOf(runs: readonly RunReport[], count: CountName): number {
  return runs.reduce((sum, { counts }) => sum + counts[count], 0);
}

/** Runs all syncs once in an app of its own, like a new process, and counts the writes that the sandbox received. */
async function pass(environment: Environment, { sandbox, say, signal }: Stage) {
  const before = sandbox.writes();
  const progress = createProgressLine();
  const runs: RunReport[] = [];
  await withApp(
    loadAppConfig(environment),
    { environment, openLog: async () => createLog('error', { isService: false }) },
    async (app) => {
      for (const sync of app.config.syncs) {
        runs.push(await syncRun(app.contextOf(sync, { signal, onProgress: progress.show })));
        progress.clear();
      }
    },
  );
  const writes = sandbox.writes() - before;
  say(`${runsTable(runs)}\nRequests that changed something in the CMS: ${writes}`);
  return { runs, writes };
}

function applyEdits(configDir: string, say: Say): void {
  for (const { file, what, from, to } of sourceEdits) {
    const path = join(configDir, 'syncs', 'feeds', file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} no longer holds "${from}"`);
    writeFileSync(path, text.replace(from, to));
    say(`   ${file}: ${what}`);
  }
}

function nextSteps(keep = false): string {
  const steps = [
    ['feedferry init FEED', 'write a sync for your own feed: a file or an address'],
    ...(keep ? [] : [['feedferry demo --keep', 'look at the imported events, and work with the demo']]),
    ['feedferry help topics', 'list the pages of the documentation'],
  ];
  const lines = steps.map(([what = '', why]) => `  ${what.padEnd(23)} ${why}`);
  return [`\n${colour('bold', 'What to do next')}`, ...lines].join('\n');
}

/** Describes the folder that `--keep` leaves, and how to continue there. */
async function describeKept(dir: string, sandbox: Sandbox): Promise<string> {
  return `
An imported event: ${await findPage(sandbox)}
The folder of the demo stays: ${dir}
It has the config, the ledger, the data of the sandbox, and its address and token in .env. In another terminal:
  cd ${dir}
  feedferry status
  feedferry explain museum-events portolan
Press Ctrl-C to stop the sandbox. To start it again there:
  feedferry sandbox --timezone ${TIMEZONE}`;
}

async function findPage(sandbox: Sandbox): Promise<URL> {
  const headers = { Accept: 'application/json', 'User-Agent': 'feedferry', Authorization: `Bearer ${sandbox.token}` };
  const response = await fetch(`${sandbox.url}/api/v1/calendar/events?limit=100`, { headers });
  const { data } = (await response.json()) as { data: Array<{ url: string; image?: unknown }> };
  const shown = data.find((event) => event.image) ?? data[0];
  return new URL(shown?.url ?? '/', sandbox.url);
}
