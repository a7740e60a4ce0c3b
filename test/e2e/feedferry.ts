import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { compileCache } from '../support/compile-cache.ts';
import { MAIN } from '../support/program.ts';

export interface Finished {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The JSON object on the last line of standard output. */
  json<T = Record<string, unknown>>(): T;
}

export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
}

/** Starts the command line as users do: as a new process, only with the given environment, in a folder. */
export function start(args: string[], variables: Record<string, string>, cwd?: string, input = ''): Running {
  const env = { ...compileCache, PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...variables };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], { env, cwd });
  child.stdin.end(input);
  // Ends the process even if the test fails half-way.
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, finished: finish(child) };
}

async function finish(child: ChildProcess): Promise<Finished> {
  const { stdout: out, stderr: err } = child;
  if (!out || !err) throw new Error('the child has no output');
  const [output, errors, [exitCode, signal]] = await Promise.all([buffer(out), buffer(err), once(child, 'exit')]);
  // Keeps the output as it was written, because a decoder would remove a byte order mark.
  const [stdout, stderr] = [output.toString(), errors.toString()];
  return { exitCode, signal, stdout, stderr, json };

  function json() {
    if (stdout === '') throw new Error(`Nothing was printed; exit code ${exitCode}, signal ${signal}: ${stderr}`);
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  }
}

/** Runs the command line to its end. */
export function feedferry(args: string[], variables: Record<string, string>, cwd?: string): Promise<Finished> {
  return start(args, variables, cwd).finished;
}

/** Waits until a process has printed this. */
export async function untilPrinted(stream: NodeJS.ReadableStream | null, text: string): Promise<void> {
  if (!stream) throw new Error('the process has no standard error');
  for (let printed = ''; !printed.includes(text); ) {
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    printed += chunk.toString();
  }
}
