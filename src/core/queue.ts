import { z } from 'zod';
import type { Schedule } from './schedule.ts';

/** A batch of records to look at: their keys, never their content. */
export const deliveryJob = z.object({ run: z.string(), sync: z.string(), keys: z.array(z.string()) });
export type DeliveryJob = z.output<typeof deliveryJob>;

/** Result of a job: finished, or to be repeated for the records that are not delivered yet. */
export type JobResult = { is: 'done' } | { is: 'again'; afterMs: number };

export type JobHandler = (job: DeliveryJob, signal: AbortSignal) => Promise<JobResult>;

/** A running worker of a queue. */
export interface QueueWorker {
  /** Takes no more jobs, aborts the signal of the running ones and resolves when they have returned. */
  stop(): Promise<void>;
}

/** When the named sync is due. */
export interface ScheduleEntry {
  sync: string;
  schedule: Schedule;
  /** Start of the first interval, in ms since 1970 by this machine's clock; default: now. */
  from?: number;
}

/** A sync is due. */
export interface Tick {
  sync: string;
  /** When it came due, in ms since 1970 by this machine's clock. */
  at: number;
}

/** The schedules that a queue keeps. */
export interface KeptSchedules {
  /**
   * Restores the schedules that the queue has lost, and leaves the others as they are.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  keep(): Promise<void>;
  /** Ends the ticks in this process. */
  stop(): Promise<void>;
  /**
   * Ends the ticks in all processes.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  forget(): Promise<void>;
}

/** How many jobs a queue has; a job is a batch of records. */
export interface QueueDepth {
  /** Not taken yet. */
  waiting: number;
  /** To be repeated after a pause. */
  delayed: number;
  /** Taken by a worker. */
  active: number;
}

/** Carries keys to workers, wakes them, waits, and keeps schedules. It knows nothing about deliveries. */
export interface DeliveryQueue {
  readonly engine: 'in-process' | 'bullmq';
  /** Limit of the jobs in flight, over all workers of the queue. */
  readonly concurrency: number;
  /**
   * @param options `background`: if workers are shared, other waiting jobs come first
   * @returns `done` resolves once all of these jobs are finished; absent: other processes may take them
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  add(jobs: readonly DeliveryJob[], options?: { background: boolean }): Promise<{ done?: Promise<unknown> }>;
  /** Starts passing jobs to the handler. If the handler throws, its job is repeated after a growing pause. */
  work(handler: JobHandler): Promise<QueueWorker>;
  /**
   * Calls `onTick` whenever a sync is due, in one of the processes that share the queue. An interval that the queue knows
   * already keeps its clock. Schedules of the queue that are not among these end.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  schedule(entries: readonly ScheduleEntry[], onTick: (tick: Tick) => void): Promise<KeptSchedules>;
  /**
   * Counts the jobs, over all workers of the queue.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}
