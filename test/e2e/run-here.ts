import { vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import type { Finished } from './feedferry.ts';

/**
 * Runs the command line to its end as `feedferry` of `feedferry.ts` does, but in this process, which is much faster. Use this for
 * the output and exit codes of commands; not for signals, standard input and the end of a process. `shown` is both outputs in the order
 * in which they are written, as a terminal shows them.
 */
export async function runHere(
  args: string[],
  variables: Record<string, string>,
  cwd = process.cwd(),
): Promise<Finished & { shown: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const shown: string[] = [];
  const write = (to: string[]) => (text: unknown) => shown.push(String(text)) > 0 && to.push(String(text)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(write(err)),
  ];
  const before = { env: process.env, cwd: process.cwd() };
  process.env = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables };
  process.chdir(cwd);
  try {
    await runProgram(args);
    const [stdout, stderr] = [out.join(''), err.join('')];
    const json = () => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    return { exitCode: Number(process.exitCode ?? 0), signal: null, stdout, stderr, shown: shown.join(''), json };
  } finally {
    process.exitCode = undefined;
    process.env = before.env;
    process.chdir(before.cwd);
    for (const spy of spies) spy.mockRestore();
  }
}
