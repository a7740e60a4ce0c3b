// npm run simulate -- [--seed N] [--seeds N] [--minutes M] [--workers N] [--story] [--states] [--feature NAME ...]: plays simulated runs, and prints what they find.
// A failure is shrunk to few happenings. `--seed N` alone plays that run; `--story` prints what happens in it.
// `--feature` gives all runs a feature of features.ts in which it makes sense, also one that is switched off.
// `--states` prints at the end the states and moves of records that no run reached.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { everyStep } from './checks/watch-records.ts';
import { askForFeatures } from './plan/features.ts';
import { type Played, play } from './play.ts';
import { add, noTally, playSeeds, type Tally } from './run/play-seeds.ts';
import { shrink } from './run/shrink.ts';

interface Share {
  first: number;
  step: number;
  count: number;
  ms: number;
}

if (isMainThread) await main();
else await work(workerData as Share);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
      story: { type: 'boolean', default: false },
      states: { type: 'boolean', default: false },
      feature: { type: 'string', multiple: true },
    },
  });
  askForFeatures(values.feature ?? []);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  if (values.seed !== undefined && !values.seeds && !values.minutes) return tell(await play(seed), values.story);
  const ms = Number(values.minutes ?? (values.seeds ? 1e6 : 1)) * 60_000;
  const count = Number(values.seeds ?? 1e12);
  console.log(`Seeds from ${seed} on`);
  const startedAt = performance.now();
  const tally = await playOnWorkers(Number(values.workers), { first: seed, count, ms });
  const seconds = (performance.now() - startedAt) / 1000;
  const perSecond = (many: number) => (many / seconds).toFixed(1);
  console.log(
    `${tally.runs} runs with ${tally.syncRuns} commands and ${tally.requests} requests in ${seconds.toFixed(0)} s: ` +
      `${perSecond(tally.runs)} runs a second, ${perSecond(tally.syncRuns)} commands a second`,
  );
  if (values.states) printUnreached(tally.reached);
  const [failed] = tally.failed;
  if (!failed) return console.log('Nothing was found.');
  console.log(`${tally.failed.length} runs failed: ${tally.failed.map((each) => each.seed).join(', ')}`);
  await tell(await play(failed.seed), values.story);
}

/** Prints what the lists of record-states.ts have and no run did. */
function printUnreached(reached: ReadonlySet<string>): void {
  const unreached = everyStep.filter((each) => !reached.has(each));
  console.log(`${unreached.length} of ${everyStep.length} states and moves of records were not reached:`);
  for (const each of unreached) console.log(`  ${each}`);
}

async function playOnWorkers(
  workers: number,
  { first, count, ms }: { first: number; count: number; ms: number },
): Promise<Tally> {
  const shares = Array.from({ length: workers }, (_, nth) => ({
    first: first + nth,
    step: workers,
    count: Math.ceil((count - nth) / workers),
    ms,
  }));
  const tallies = await Promise.all(shares.map(playInWorker));
  return tallies.reduce(add, noTally());
}

function playInWorker(share: Share): Promise<Tally> {
  return new Promise((resolve, reject) => {
    // Most of what a run allocates is soon garbage.
    const resourceLimits = { maxYoungGenerationSizeMb: 192 };
    const worker = new Worker(new URL(import.meta.url), { workerData: share, resourceLimits });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function work({ ms, ...share }: Share): Promise<void> {
  parentPort?.postMessage(await playSeeds({ ...share, until: performance.now() + ms }));
}

/** Prints a run; one that failed without what did not matter. */
async function tell(played: Played, withStory: boolean): Promise<void> {
  const shown = played.findings.length > 0 ? await shrink(played) : played;
  if (withStory) console.log(shown.story.join('\n'));
  console.log(`Seed ${shown.seed}: ${JSON.stringify(shown.settings)}`);
  for (const happening of shown.happenings) console.log(`  ${JSON.stringify(happening)}`);
  for (const { is, what } of shown.findings) console.log(`${is}: ${what}`);
  if (shown.findings.length === 0) console.log('Nothing was found.');
  else process.exitCode = 1;
}
