import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from './clock.ts';
import { isGone, thisProcess } from './process-name.ts';

/**
 * What a process takes from its machine: clocks, random numbers, and its own name. The composition root passes the runtime
 * down, so that a simulation can replace it. Secrets do not come from here.
 */
export interface Runtime extends Clock {
  /** Returns an id that is unique everywhere. */
  uuid(): string;
  /** Starts to measure. @returns a function that returns the share of the time in which this process was busy, from 0 to 1 */
  measureLoad(): () => number;
  /** Holder of this process's leases, unique to the process. */
  readonly process: string;
  /** Returns whether the process that held a lease has certainly exited. */
  isGone(holder: string): boolean;
}

/** This process on this machine. */
export const systemRuntime: Runtime = {
  ...systemClock,
  uuid: () => randomUUID(),
  measureLoad() {
    const start = performance.eventLoopUtilization();
    return () => performance.eventLoopUtilization(start).utilization;
  },
  process: thisProcess,
  isGone,
};

/** Returns a holder for a part of a process with leases of its own. */
export function partOfProcess({ process, uuid }: Runtime): string {
  return `${process}/${uuid().slice(0, 8)}`;
}
