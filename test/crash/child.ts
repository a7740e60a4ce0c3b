import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { compileCache } from '../support/compile-cache.ts';
import { MAIN } from '../support/program.ts';

const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** A process whose output is kept in files: what a killed one said last can be read. */
export interface Child {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  isRunning(): boolean;
  exited: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  stdout(): string;
  stderr(): string;
}

/** Starts a process that does not outlive this one. `log` is the path of its output, without `.out` and `.err`. */
export function startChild(command: string, args: string[], log: string, options: SpawnOptions = {}): Child {
  mkdirSync(dirname(log), { recursive: true });
  const [out, err] = [openSync(`${log}.out`, 'a'), openSync(`${log}.err`, 'a')];
  const child = spawn(command, args, { ...options, stdio: ['ignore', out, err] });
  closeSync(out);
  closeSync(err);
  living.add(child);
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    isRunning: () => living.has(child),
    exited: once(child, 'exit').then(([exitCode, signal]) => {
      living.delete(child);
      return { exitCode, signal };
    }),
    stdout: () => readFileSync(`${log}.out`, 'utf8'),
    stderr: () => readFileSync(`${log}.err`, 'utf8'),
  };
}

/** Starts feedferry's command line with these variables and no others. */
export function startFeedferry(args: string[], log: string, variables: Record<string, string>): Child {
  const env = { ...compileCache, PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...variables };
  return startChild(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], log, { env });
}

/** Kills it as a power cut would, and waits until it is gone. */
export async function killHard(child: Child): Promise<void> {
  child.kill('SIGKILL');
  await child.exited;
}
