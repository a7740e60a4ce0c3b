import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Judge, Verdict } from './judge-mutants.ts';
import { mutantVariable, root } from './mutant.ts';

/**
 * Runs a program of Node that tests something and exits with 1 if it finds a bug. `killedBy` takes from its output what
 * found it; output without such words is that of a program that failed for another reason.
 */
export function programJudge(args: string[], killedBy: (output: string) => string | undefined): Judge {
  const planting = ['--disable-warning=ExperimentalWarning', '--import', `${root}test/mutants/plant-in-node.ts`];
  return async (mutant) => {
    const child = spawn(process.execPath, [...planting, ...args], {
      cwd: root,
      env: { ...process.env, [mutantVariable]: mutant ? JSON.stringify(mutant) : '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { verdict: verdictOf(child.exitCode, killedBy(output), `${output}${errors}`.trim()), errors };
  };
}

function verdictOf(exitCode: number | null, killer: string | undefined, all: string): Verdict {
  if (exitCode === 0) return { survived: true };
  return exitCode === 1 && killer !== undefined ? { killedBy: killer } : { broken: all };
}
