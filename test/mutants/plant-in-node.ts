// node --import ./test/mutants/plant-in-node.ts PROGRAM: plants the mutant of the environment in the modules that Node loads; files on
// disk stay as they are.
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { mutantToPlant, plantIn } from './mutant.ts';

const mutant = mutantToPlant();
if (mutant) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const source = url.startsWith('file:') && plantIn(fileURLToPath(url), String(loaded.source), mutant);
      return source ? { ...loaded, source } : loaded;
    },
  });
}
