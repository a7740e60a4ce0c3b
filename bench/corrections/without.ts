import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Mutant, mutantVariable, root } from '../../test/mutants/mutant.ts';
import type { Scores } from './score-records.ts';

/** Scores the feeds in a process in which a heuristic is switched off. */
export async function scoresWithout(heuristic: Mutant): Promise<Scores> {
  const argv = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    join(root, 'test/mutants/plant-in-node.ts'),
    join(root, 'bench/corrections.ts'),
    '--json',
  ];
  const env = { ...process.env, [mutantVariable]: JSON.stringify(heuristic) };
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env, maxBuffer: 1e8 });
  return JSON.parse(stdout);
}
