// npm run dev -- oracle:mutants [--only NAME ...]: plants bugs about identity in the product, one after the other, and plays the histories of
// the oracle with each, up to the first that is silently wrong. Ends with 1 if a bug goes unnoticed.
import { parseArgs } from 'node:util';
import { judgeMutants } from '../judge-mutants.ts';
import { vitestJudge } from '../vitest-judge.ts';
import { oracleMutants } from './mutants.ts';

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const chosen = oracleMutants.filter(({ name }) => values.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error(`The mutants are ${oracleMutants.map(({ name }) => name).join(', ')}.`);

// So that nothing is left behind: what was started goes when this process exits.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const allKilled = await judgeMutants(chosen, vitestJudge('test/mutants/oracle/vitest.config.ts'));
process.exitCode = allKilled ? 0 : 1;
