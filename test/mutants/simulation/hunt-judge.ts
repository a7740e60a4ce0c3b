import type { Judge } from '../judge-mutants.ts';

/**
 * Judges a mutant by the first of some seeds in which something is found that is not found without it. The long runs of
 * `npm run simulate` look at clean code: here, one seed shows that it can be played.
 * @param hunt plays so many seeds from a first one on; what it is killed by begins with the seed
 */
export function huntJudge(hunt: (first: number, seeds: number) => Judge, seeds: number): Judge {
  return async (mutant) => {
    if (!mutant) return hunt(1, 1)();
    for (let first = 1; ; ) {
      const judged = await hunt(first, seeds + 1 - first)(mutant);
      if (!('killedBy' in judged.verdict)) return judged;
      const seed = Number.parseInt(judged.verdict.killedBy, 10);
      const { verdict: clean } = await hunt(seed, 1)();
      if ('survived' in clean) return judged;
      first = seed + 1;
    }
  };
}
