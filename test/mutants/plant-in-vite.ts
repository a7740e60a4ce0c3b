import type { Plugin } from 'vitest/config';
import { mutantToPlant, plantIn } from './mutant.ts';

/** Plants the mutant of the environment in the modules that Vitest loads; files on disk stay as they are. */
export function plantMutant(): Plugin {
  const mutant = mutantToPlant();
  return {
    name: 'plant-mutant',
    enforce: 'pre',
    // The cache of transformed modules does not know of mutants.
    config: () => ({ test: { fsModuleCache: false } }),
    transform: (source, id) => mutant && plantIn(id, source, mutant),
  };
}
