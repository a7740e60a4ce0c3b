import { join, resolve } from 'node:path';
import { openEngine } from './engines.ts';
import { feedferryRound } from './rounds.ts';
import type { Scenario } from './scenarios.ts';
import { markdown, median } from './table.ts';

const FIGURES = { 'CPU time': 'cpuSeconds', 'wall time': 'seconds' } as const;

/**
 * Compares the first runs of this program with those of another checkout, which is built. They take turns, because the speed of a
 * machine changes within minutes: only the ratio of two runs in a row says something. Prints the medians of these ratios.
 * @param most a program that takes more CPU time than this many times that of the other has become too slow. The wall time is
 * only shown: other work on the machine changes it more.
 * @returns whether it is not too slow
 */
export async function firstRunsAgainst(
  dir: string,
  scenario: Scenario,
  { runs, most }: { runs: number; most: number },
): Promise<boolean> {
  const load = { ...scenario.load, again: false };
  const title = `${scenario.engine}: ${scenario.name}`;
  const engine = await openEngine(scenario.engine);
  if (!engine) throw new Error(`${title} cannot be played`);
  const ratios: Record<keyof typeof FIGURES, number[]> = { 'CPU time': [], 'wall time': [] };
  const theirs = async () =>
    (await feedferryRound(engine, load, { program: join(resolve(dir), 'dist/src/cli/main.js') })).create;
  const ours = async () => (await feedferryRound(engine, load)).create;
  try {
    // The first run of each fills its cache of compiled code.
    for (let run = 0; run <= runs; run += 1) {
      console.error(`${title}, round ${run} of ${runs} …`);
      const isOursFirst = run % 2 === 0;
      const [one, other] = isOursFirst ? [await ours(), await theirs()] : [await theirs(), await ours()];
      const [our, their] = isOursFirst ? [one, other] : [other, one];
      if (run === 0) continue;
      for (const [name, figure] of Object.entries(FIGURES)) {
        ratios[name as keyof typeof FIGURES].push(our[figure] / their[figure]);
      }
    }
  } finally {
    await engine.stop();
  }
  const rows = Object.entries(ratios).map(([name, values]) => [
    `${title}, ${name}`,
    median(values).toFixed(3),
    Math.min(...values).toFixed(3),
    Math.max(...values).toFixed(3),
  ]);
  console.log(markdown(['first run, this : other', 'median', 'least', 'most'], rows));
  return median(ratios['CPU time']) <= most;
}
