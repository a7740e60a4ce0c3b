// npm run dev -- simulate:mutants [--only NAME ...] [--seeds N]: plants bugs in sync, ledger, limits, client and queue, one after the
// other, and plays simulated runs with each, up to the first that finds something. Ends with 1 if a bug goes unnoticed.
import { parseArgs } from 'node:util';
import { judgeMutants } from '../judge-mutants.ts';
import { programJudge } from '../program-judge.ts';
import { huntJudge } from './hunt-judge.ts';
import { simulationMutants } from './mutants.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, seeds: { type: 'string', default: '10000' } },
});
const chosen = simulationMutants.filter(({ name }) => values.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error(`The mutants are ${simulationMutants.map(({ name }) => name).join(', ')}.`);

const LONGEST = 100;

const judge = huntJudge(
  (first, seeds) =>
    programJudge(['test/mutants/simulation/hunt.ts', '--first', `${first}`, '--seeds', `${seeds}`], found),
  Number(values.seeds),
);

function found(output: string): string | undefined {
  const [, seed = '', what = ''] = /^Seed (\d+): (.*)$/m.exec(output) ?? [];
  return seed && `${seed.padStart(5)} seeds  ${what.length > LONGEST ? `${what.slice(0, LONGEST)}…` : what}`;
}

process.exitCode = (await judgeMutants(chosen, judge)) ? 0 : 1;
