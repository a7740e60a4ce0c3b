// npm run dev -- oracle:mutants [--only NAME ...]: plants bugs about identity in the product, one after the other, and plays the histories of
// the oracle with each, up to the first that is silently wrong. Ends with 1 if a bug goes unnoticed.
import { plantAll } from '../plant-all.ts';
import { oracleMutants } from './mutants.ts';

await plantAll(oracleMutants, 'test/mutants/oracle/vitest.config.ts');
