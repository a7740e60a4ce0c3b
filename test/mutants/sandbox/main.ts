// npm run dev -- test:mutants [--only NAME ...]: plants bugs in the sandbox and in the client of the CMS, one after the other, and runs the
// contract suites of both with each, up to the first test that fails. Ends with 1 if a bug goes unnoticed.
import { plantAll } from '../plant-all.ts';
import { sandboxMutants } from './mutants.ts';

await plantAll(sandboxMutants, 'test/mutants/sandbox/vitest.config.ts');
