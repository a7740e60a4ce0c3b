import { join } from 'node:path';
import type { RunResult } from '../../src/core/run.ts';
import { killHard, startFeedferry } from './child.ts';
import type { Finished } from './crew.ts';
import type { Site } from './site.ts';
import { endsWithin } from './until.ts';

const LONGEST_SYNC_MS = 120_000;
const MOST_RUNS = 6;

/** One `sync` of all, to its end. */
export function sync(site: Site, name: string): Promise<Finished> {
  return run(site, name, ['sync', '--json']);
}

/** Compares the CMS with the ledger, and repairs what differs. */
export async function heal(site: Site): Promise<void> {
  await run(site, 'heal', ['verify', '--heal', '--json']);
}

/** Makes feedferry forget its records. */
export async function release(site: Site): Promise<void> {
  for (const name of ['events', 'accounts']) {
    const { exitCode, stderr } = await run(site, `release-${name}`, ['release', name, '--yes']);
    if (exitCode !== 0) throw new Error(`the records of ${name} could not be released: ${stderr}`);
  }
}

async function run({ dir, variables }: Site, name: string, args: string[]): Promise<Finished> {
  const child = startFeedferry(args, join(dir, 'logs', name), variables);
  if (!(await endsWithin(child, LONGEST_SYNC_MS))) await killHard(child);
  const { exitCode } = await child.exited;
  return { name, exitCode, stdout: child.stdout(), stderr: child.stderr() };
}

/**
 * Syncs until everything is delivered, or until it is plain that it will not be.
 * @param successes so many runs have to succeed: what is missing may only be removed in the second
 */
export async function converge(site: Site, name: string, successes: number): Promise<Finished[]> {
  const finished: Finished[] = [];
  while (finished.length < MOST_RUNS) {
    finished.push(await sync(site, `${name}-${finished.length + 1}`));
    if (finished.filter(({ exitCode }) => exitCode === 0).length === successes) break;
  }
  return finished;
}

/** The runs that a command has printed; none where it was killed before. */
export function runsOf({ stdout }: Finished): Array<RunResult & { error?: { code: string; message: string } }> {
  const lastLine = stdout.trimEnd().split('\n').at(-1);
  return lastLine ? JSON.parse(lastLine).runs : [];
}
