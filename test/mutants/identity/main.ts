// npm run dev -- identity:mutants [--only NAME ...]: plants bugs in the judgement whether records are known ones, one after the other, and runs
// its tests with each, up to the first that fails. Ends with 1 if a bug goes unnoticed.
import { plantAll } from '../plant-all.ts';
import { identityMutants } from './mutants.ts';

await plantAll(identityMutants, 'test/mutants/identity/vitest.config.ts');
