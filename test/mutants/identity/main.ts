// npm run dev -- identity:mutants [--only NAME ...]: plants bugs in the judgement whether records are known ones, one after the other, and runs
// its tests with each, up to the first that fails. Ends with 1 if a bug goes unnoticed.
import { parseArgs } from 'node:util';
import { judgeMutants } from '../judge-mutants.ts';
import { vitestJudge } from '../vitest-judge.ts';
import { identityMutants } from './mutants.ts';

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const chosen = identityMutants.filter(({ name }) => values.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error(`The mutants are ${identityMutants.map(({ name }) => name).join(', ')}.`);

// So that nothing is left behind: what was started goes when this process exits.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const allKilled = await judgeMutants(chosen, vitestJudge('test/mutants/identity/vitest.config.ts'));
process.exitCode = allKilled ? 0 : 1;
