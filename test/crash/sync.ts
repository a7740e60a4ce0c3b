import { join } from 'node:path';
import type { RunResult } from '../../src/core/run.ts';
import { killHard, startFeedferry } from './child.ts';
import type { Finished } from './crew.ts';
import type { Site } from './site.ts';
import { endsWithin } from './until.ts';

const LONGEST_SYNC_MS = 120_000;
const MOST_RUNS = 5;

/** One `sync` of all, to its end. */
export async function sync({ dir, variables }: Site, name: string): Promise<Finished> {
  const child = startFeedferry(['sync', '--json'], join(dir, 'logs', name), variables);
  if (!(await endsWithin(child, LONGEST_SYNC_MS))) await killHard(child);
  const { exitCode } = await child.exited;
  return { name, exitCode, stdout: child.stdout(), stderr: child.stderr() };
}

/** Syncs until everything is delivered, or until it is plain that it will not be. Returns the last run. */
export async function converge(site: Site): Promise<Finished[]> {
  const finished: Finished[] = [];
  while (finished.length < MOST_RUNS) {
    const last = await sync(site, `converge-${finished.length + 1}`);
    finished.push(last);
    if (last.exitCode === 0) break;
  }
  return finished;
}

/** The runs that a command has printed; none where it was killed before. */
export function runsOf({ stdout }: Finished): Array<RunResult & { error?: { code: string; message: string } }> {
  const lastLine = stdout.trimEnd().split('\n').at(-1);
  return lastLine ? JSON.parse(lastLine).runs : [];
}
