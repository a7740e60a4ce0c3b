import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunCounts, RunResult } from '../src/core/run.ts';
import { type CmsProcess, startCms } from './cms-process.ts';
import type { Engine } from './engines.ts';
import { writeEventSync, writeEvents } from './event-sync.ts';
import type { Traffic } from './fast-cms.ts';
import { type Measured, runMeasured } from './measured-process.ts';

/** One command, as it measured itself and as the CMS saw it. */
export type Pass = Measured & Traffic;

/** The same feed: everything is new; nothing has changed; one record in a hundred has. */
export interface Round {
  create: Pass;
  again?: Pass;
  change?: Pass;
}

export interface Load {
  records: number;
  latencyMs: number;
  inFlight?: number;
  requestsPerSecond?: number;
  /** How much longer a durable commit takes than on this machine. SQLite only. */
  slowCommitMs?: number;
  /** Worker processes besides that of the command. */
  workers?: number;
  /** Whether the feed is synced again, unchanged and changed. */
  again?: boolean;
}

/** As users start it: built. */
const MAIN = join(import.meta.dirname, '../dist/src/cli/main.js');
const BARE_LOOP = join(import.meta.dirname, 'bare-loop.ts');
const SLOW_COMMITS = join(import.meta.dirname, 'slow-commits.ts');
const CHANGED_EVERY = 100;

/** @throws Error where not every record was created once */
export function bareRound(load: Load): Promise<Pass> {
  return atNewSite(load, async ({ cms, dir }) => {
    const feed = writeEventSync(dir);
    writeEvents(feed, load.records);
    const pass = await observed(cms, runMeasured(BARE_LOOP, [feed], variablesFor(cms)));
    expectWrites(pass, load.records);
    return pass;
  });
}

/**
 * @param program the compiled program; that of this folder by default
 * @param nodeOptions of the command that creates, such as those of the profiler
 * @throws Error where a run does not do exactly what it has to
 */
export function feedferryRound(
  engine: Engine,
  load: Load,
  { program = MAIN, nodeOptions = [] }: { program?: string; nodeOptions?: readonly string[] } = {},
): Promise<Round> {
  const { records, slowCommitMs, workers = 0 } = load;
  return atNewSite(load, async ({ cms, dir }) => {
    const config = join(dir, 'config');
    const feed = writeEventSync(config, load);
    const ledger = { ...(await engine.newLedger()), FEEDFERRY_DATA: join(dir, 'data'), FEEDFERRY_CONFIG: config };
    const variables = { ...variablesFor(cms), ...ledger, SLOW_COMMIT_MS: String(slowCommitMs ?? 0), LOG_LEVEL: 'warn' };
    const options = [...(slowCommitMs === undefined ? [] : ['--import', SLOW_COMMITS]), ...nodeOptions];
    const sync = async (expected: Partial<RunCounts>): Promise<Pass> => {
      const pass = await observed(cms, runMeasured(program, ['sync', '--json'], variables, options));
      expectCounts(pass, expected);
      expectWrites(pass, (expected.created ?? 0) + (expected.updated ?? 0));
      return pass;
    };

    writeEvents(feed, records);
    const crew = await startWorkers(workers, variables);
    try {
      const create = await sync({ created: records });
      if (!load.again) return { create };
      const again = await sync({ unchanged: records });
      writeEvents(feed, records, CHANGED_EVERY);
      const updated = Math.ceil(records / CHANGED_EVERY);
      return { create, again, change: await sync({ updated, unchanged: records - updated }) };
    } finally {
      await crew.stop();
    }
  });
}

/** Acts with a CMS and a folder that go away thereafter. */
async function atNewSite<Result>(
  { latencyMs }: Load,
  act: (site: { cms: CmsProcess; dir: string }) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  const cms = await startCms(latencyMs);
  try {
    return await act({ cms, dir });
  } finally {
    await cms.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Starts workers and waits until each has said that it is at work. */
async function startWorkers(count: number, variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, ...variables, LOG_LEVEL: 'info' };
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'worker'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  for (const { stderr } of children) {
    await once(stderr, 'data');
    stderr.resume();
  }
  return {
    async stop() {
      const gone = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(gone);
    },
  };
}

async function observed(cms: CmsProcess, running: Promise<Measured>): Promise<Pass> {
  const measured = await running;
  return { ...measured, ...(await cms.traffic()) };
}

function variablesFor({ url, token }: CmsProcess): Record<string, string> {
  return { CMS_BASE_URL: url, CMS_API_TOKEN: token };
}

function expectWrites({ writes }: Pass, expected: number): void {
  if (writes !== expected) throw new Error(`the CMS got ${writes} writes instead of ${expected}`);
}

function expectCounts({ stdout }: Pass, expected: Partial<RunCounts>): void {
  const { runs } = JSON.parse(stdout) as { runs: RunResult[] };
  const counts = runs[0]?.counts;
  const wrong = Object.entries(expected).filter(([name, count]) => counts?.[name as keyof RunCounts] !== count);
  if (wrong.length > 0) throw new Error(`expected ${JSON.stringify(expected)}: ${stdout}`);
}
