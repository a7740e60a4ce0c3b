import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunCounts, RunResult } from '../src/core/run.ts';
import type { Engine } from './engines.ts';
import { writeEventSync, writeEvents } from './event-sync.ts';
import { type Measured, runMeasured } from './measured-process.ts';
import type { Traffic } from './observed-sandbox.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

/** One command, as it measured itself and as the CMS saw it. */
export type Pass = Measured & Traffic;

/** The same feed three times: everything is new, nothing has changed, one record in ten has. */
export interface FeedferryRound {
  create: Pass;
  again: Pass;
  change: Pass;
}

export interface Load {
  records: number;
  latencyMs: number;
  /** Folder for CPU profiles of the creating command, if wanted. */
  profile?: string;
}

const MAIN = join(import.meta.dirname, '../src/cli/main.ts');
const BARE_LOOP = join(import.meta.dirname, 'bare-loop.ts');
const CHANGED_EVERY = 10;

/** @throws Error where not every record was created once */
export function bareRound({ records, latencyMs, profile }: Load): Promise<Pass> {
  return atNewSite(latencyMs, async ({ sandbox, dir }) => {
    const feed = writeEventSync(dir);
    writeEvents(feed, records);
    const loop = runMeasured(BARE_LOOP, [feed], variablesFor(sandbox), profilerOptions(profile));
    const pass = await observed(sandbox, loop);
    expectWrites(pass, records);
    return pass;
  });
}

/** @throws Error where a run does not do exactly what it has to */
export function feedferryRound(engine: Engine, { records, latencyMs, profile }: Load): Promise<FeedferryRound> {
  return atNewSite(latencyMs, async ({ sandbox, dir }) => {
    const config = join(dir, 'config');
    const feed = writeEventSync(config);
    const ledger = { ...(await engine.newLedger()), FEEDFERRY_DATA: join(dir, 'data') };
    const variables = { ...variablesFor(sandbox), ...ledger };
    const sync = async (expected: Partial<RunCounts>, nodeOptions: string[] = []): Promise<Pass> => {
      const command = runMeasured(MAIN, ['sync', '--json', '--config', config], variables, nodeOptions);
      const pass = await observed(sandbox, command);
      expectCounts(pass, expected);
      expectWrites(pass, (expected.created ?? 0) + (expected.updated ?? 0));
      return pass;
    };

    writeEvents(feed, records);
    const create = await sync({ created: records }, profilerOptions(profile));
    const again = await sync({ unchanged: records });
    writeEvents(feed, records, CHANGED_EVERY);
    const updated = Math.ceil(records / CHANGED_EVERY);
    return { create, again, change: await sync({ updated, unchanged: records - updated }) };
  });
}

/** Acts with a sandbox and a folder that go away thereafter. */
async function atNewSite<Result>(
  latencyMs: number,
  act: (site: { sandbox: SandboxProcess; dir: string }) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  const sandbox = await startSandboxProcess(latencyMs);
  try {
    return await act({ sandbox, dir });
  } finally {
    await sandbox.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function observed(sandbox: SandboxProcess, running: Promise<Measured>): Promise<Pass> {
  const measured = await running;
  return { ...measured, ...(await sandbox.traffic()) };
}

function variablesFor({ url, token }: SandboxProcess): Record<string, string> {
  return { CMS_BASE_URL: url, CMS_API_TOKEN: token };
}

function profilerOptions(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
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
