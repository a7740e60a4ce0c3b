import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';

/** The clocks and timers of a process, and the random numbers that spread its pauses. */
export interface Clock {
  /** Wall clock, in ms since 1970. It may be set while the process runs. */
  now(): number;
  /** Monotonic clock, in ms since some moment of this process. */
  monotonic(): number;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /** Waits; 0 ms: until the running code has ended. @throws the signal's AbortError */
  sleep(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
  /** Calls a function once; after 0 ms: as soon as the running code has ended. */
  after(ms: number, task: () => void): Timer;
  /** Calls a function repeatedly. */
  every(ms: number, task: () => void): Timer;
}

/** A call that is due later. A process does not wait for timers that are `unref`. */
export interface Timer {
  cancel(): void;
  ref(): void;
  unref(): void;
}

/** The clocks of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, options) => (ms === 0 ? yieldOnce(undefined, options) : pause(ms, undefined, options)),
  after(ms, task) {
    if (ms === 0) {
      const immediate = setImmediate(task);
      return timer(immediate, () => clearImmediate(immediate));
    }
    const timeout = setTimeout(task, ms);
    return timer(timeout, () => clearTimeout(timeout));
  },
  every(ms, task) {
    const interval = setInterval(task, ms);
    return timer(interval, () => clearInterval(interval));
  },
};

function timer(handle: NodeJS.Timeout | NodeJS.Immediate, cancel: () => void): Timer {
  return { cancel, ref: () => void handle.ref(), unref: () => void handle.unref() };
}
