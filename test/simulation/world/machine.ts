import type { Runtime } from '../../../src/core/runtime/runtime.ts';
import type { World } from './world.ts';

/** When the world begins, in ms since 1970. */
export const BEGINNING = Date.UTC(2027, 0, 4, 6);

/** A process with its own memory, clocks and end. */
export type Machine = ReturnType<typeof createMachine>;

export interface MachineOptions {
  name: string;
  /** Processes of the same host know which of them have exited. */
  host: string;
  /** How fast its clocks run; 1 is right. */
  rate: number;
  /** How far its wall clock is ahead, in ms. */
  aheadMs: number;
  isGone(holder: string): boolean;
}

/** Starts a process. What it asks for never arrives once it is killed, and late if it is stopped meanwhile. */
export function createMachine(world: World, { name, host, rate, aheadMs, isGone }: MachineOptions) {
  const chance = world.chance.fork();
  const bornAt = world.now();
  let isAlive = true;
  let stoppedUntil = 0;
  let setAheadMs = aheadMs;
  let steps = 0;
  let death: { step: number; when: 'before' | 'after' } | undefined;
  /** When its monotonic clock stands still. */
  const sleeps: Array<{ from: number; until: number }> = [];
  const onKill: Array<() => void> = [];
  /** Signals keep what listens to them in memory. */
  const listening = new Set<() => void>();
  const holder = `${host}/${name}@1/${chance.hex(8)}`;

  const awakeMs = () =>
    sleeps.reduce((ms, { from, until }) => ms - Math.max(0, Math.min(world.now(), until) - from), world.now() - bornAt);
  const monotonic = () => awakeMs() * rate;
  const runtime: Runtime = {
    now: () => Math.floor(BEGINNING + bornAt + (world.now() - bornAt) * rate + setAheadMs),
    monotonic,
    random: chance.real,
    uuid: () => `${chance.hex(8)}-${chance.hex(4)}-4${chance.hex(3)}-8${chance.hex(3)}-${chance.hex(12)}`,
    sleep,
    after: (ms, task) => timer(ms, task, false),
    every: (ms, task) => timer(ms, task, true),
    measureLoad: () => () => 0,
    process: holder,
    isGone,
  };
  return { name, holder, runtime, isAlive: () => isAlive, kill, killAt, stop, setClock, resume, step, onKill };

  /** Ends the process: nothing that it waits for arrives. */
  function kill(): void {
    isAlive = false;
    for (const end of [...onKill.splice(0), ...listening]) end();
  }

  /** Kills the process in a number of steps from now, before or after what it does then. */
  function killAt(fromNow: number, when: 'before' | 'after'): void {
    death = { step: steps + fromNow, when };
  }

  /** Does something outside its memory after a moment. The process may be killed before or after it. */
  function step<Result>(afterMs: number, act: () => Result | Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    steps += 1;
    const mine = steps;
    const isLast = (when: 'before' | 'after') => death?.step === mine && death.when === when;
    world.in(afterMs, () =>
      resume(() => {
        if (isLast('before')) return kill();
        try {
          const result = act();
          if (isLast('after')) return kill();
          resolve(result);
        } catch (error) {
          reject(error);
        }
      }),
    );
    return promise;
  }

  /** Stops the process for a while, as SIGSTOP does; `asleep`: as with its machine, whose monotonic clock stands still. */
  function stop(ms: number, { asleep }: { asleep: boolean }): void {
    const from = Math.max(world.now(), stoppedUntil);
    stoppedUntil = Math.max(world.now() + ms, stoppedUntil);
    if (asleep) sleeps.push({ from, until: stoppedUntil });
  }

  function setClock(byMs: number): void {
    setAheadMs += byMs;
  }

  /** Calls something in the process: when it runs again, never if it has ended. */
  function resume(task: () => void): void {
    if (!isAlive) return;
    if (world.now() < stoppedUntil) world.at(stoppedUntil, () => resume(task));
    else task();
  }

  function sleep(ms: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) {
      reject(signal.reason);
      return promise;
    }
    const cancel = world.in(ms / rate, () =>
      resume(() => {
        end();
        resolve();
      }),
    );
    const onAbort = () => {
      cancel();
      end();
      reject(signal?.reason);
    };
    const end = () => {
      listening.delete(end);
      signal?.removeEventListener('abort', onAbort);
    };
    listening.add(end);
    signal?.addEventListener('abort', onAbort);
    return promise;
  }

  function timer(ms: number, task: () => void, again: boolean) {
    let cancel = () => {};
    let isOver = false;
    const start = () => {
      cancel = world.in(ms / rate, () =>
        resume(() => {
          if (isOver) return;
          if (again) start();
          task();
        }),
      );
    };
    start();
    const end = () => {
      isOver = true;
      cancel();
    };
    return { cancel: end, ref: () => {}, unref: () => {} };
  }
}
