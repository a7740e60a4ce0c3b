import { setImmediate as breathe } from 'node:timers/promises';
import type { Finding } from '../checks/finding.ts';
import { play } from '../play.ts';

/** What many simulated runs found. */
export interface Tally {
  runs: number;
  syncRuns: number;
  requests: number;
  failed: Array<{ seed: number; findings: Finding[] }>;
  /** The states and moves of records that occurred. */
  reached: Set<string>;
}

export function noTally(): Tally {
  return { runs: 0, syncRuns: 0, requests: 0, failed: [], reached: new Set() };
}

/**
 * Plays one seed after the other.
 * @param options `step`: from one seed to the next; `until`: by `performance.now()`; `mostFailed`: stops after so many failures
 */
export async function playSeeds(options: {
  first: number;
  step: number;
  count: number;
  until: number;
  mostFailed?: number;
}): Promise<Tally> {
  const { first, step, count, until, mostFailed = 10 } = options;
  const tally = noTally();
  for (let nth = 0; nth < count && performance.now() < until && tally.failed.length < mostFailed; nth += 1) {
    const seed = first + nth * step;
    await breathe();
    const { findings, syncRuns, requests, reached } = await play(seed);
    tally.runs += 1;
    tally.syncRuns += syncRuns;
    tally.requests += requests;
    for (const each of reached) tally.reached.add(each);
    if (findings.length > 0) tally.failed.push({ seed, findings });
  }
  return tally;
}

export function add(one: Tally, other: Tally): Tally {
  return {
    runs: one.runs + other.runs,
    syncRuns: one.syncRuns + other.syncRuns,
    requests: one.requests + other.requests,
    failed: [...one.failed, ...other.failed],
    reached: new Set([...one.reached, ...other.reached]),
  };
}
