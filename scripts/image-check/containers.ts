import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, RunOptions } from './engine.ts';

const LONGEST_RUN_MS = 180_000;
const LONGEST_START_MS = 90_000;
/** Longer than Docker waits by default (10 s): a busy machine is allowed, but an image that does not stop is a mistake. */
const LONGEST_STOP_MS = 20_000;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A container that runs until it is stopped. */
export interface Container {
  /** Waits until the image's health check succeeds in the container. */
  untilHealthy(): Promise<void>;
  /** Sends SIGTERM, and returns how the container ended. */
  stop(): Promise<Finished>;
}

export type Containers = ReturnType<typeof containersOf>;

/** Runs containers, and keeps track of those that have not ended. */
export function containersOf(engine: Engine) {
  const running = new Map<string, Promise<Finished>>();
  let count = 0;
  return { run, start, killAll };

  /** Runs a container until it ends. */
  async function run(options: RunOptions): Promise<Finished> {
    const { name, ended } = launch(options);
    return within(LONGEST_RUN_MS, ended, `${options.args.join(' ')} did not end`, name);
  }

  function start(options: RunOptions): Container {
    const { name, ended } = launch(options);
    return { untilHealthy: () => untilHealthy(name, ended), stop };

    async function stop(): Promise<Finished> {
      await finished(engine.signal(name, 'TERM'));
      return within(LONGEST_STOP_MS, ended, 'SIGTERM did not end the container', name);
    }
  }

  function launch(options: RunOptions) {
    const name = `feedferry-check-${process.pid}-${++count}`;
    const ended = finished(engine.run(name, options)).finally(() => running.delete(name));
    running.set(name, ended);
    return { name, ended };
  }

  async function untilHealthy(name: string, ended: Promise<Finished>): Promise<void> {
    const check = engine.healthCheck();
    if (!check) throw new Error('the image has no health check');
    const deadline = Date.now() + LONGEST_START_MS;
    while ((await finished(engine.exec(name, check))).code !== 0) {
      const end = await Promise.race([ended, sleep(500)]);
      if (end) throw new Error(`the container has ended: ${explain(end)}`);
      if (Date.now() > deadline) throw new Error('the container does not become healthy');
    }
  }

  async function within(limitMs: number, ended: Promise<Finished>, problem: string, name: string): Promise<Finished> {
    const late = new AbortController();
    const limit = sleep(limitMs, undefined, { signal: late.signal }).catch(() => undefined);
    const end = await Promise.race([ended, limit]);
    late.abort();
    if (end) return end;
    await finished(engine.signal(name, 'KILL'));
    throw new Error(`${problem} within ${limitMs / 1000} s: ${explain(await ended)}`);
  }

  async function killAll(): Promise<void> {
    for (const name of running.keys()) await finished(engine.signal(name, 'KILL'));
    await Promise.all(running.values());
  }
}

/** Describes how a container ended, with the end of its output. */
export function explain({ code, stdout, stderr }: Finished): string {
  return `exit code ${code}\n${`${stdout}${stderr}`.trimEnd().split('\n').slice(-15).join('\n')}`;
}

async function finished([program = '', ...args]: readonly string[]): Promise<Finished> {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
