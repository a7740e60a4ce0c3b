import { parseArgs } from 'node:util';
import { judgeMutants } from './judge-mutants.ts';
import type { Mutant } from './mutant.ts';
import { vitestJudge } from './vitest-judge.ts';

/** Plants mutants, all or those named by `--only`, and runs the tests of a Vitest config with each. Ends with 1 if one goes unnoticed. */
export async function plantAll(mutants: readonly Mutant[], config: string): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const chosen = mutants.filter(({ name }) => values.only?.includes(name) ?? true);
  if (chosen.length === 0) throw new Error(`The mutants are ${mutants.map(({ name }) => name).join(', ')}.`);

  // So that nothing is left behind: what was started goes when this process exits.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));

  process.exitCode = (await judgeMutants(chosen, vitestJudge(config))) ? 0 : 1;
}
