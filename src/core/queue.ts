import { z } from 'zod';
import type { Schedule } from './schedule.ts';

/** "Look at these records": keys only, never content. */
export const deliveryJob = z.object({ run: z.string(), sync: z.string(), keys: z.array(z.string()) });
export type DeliveryJob = z.output<typeof deliveryJob>;

/** What became of a job: finished, or to be repeated for the records that are not delivered yet. */
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
  /** Whence an interval counts, in ms since 1970 by this machine's clock; absent: from now on. */
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
   * Puts back what the queue has forgotten, and leaves alone what it has.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  keep(): Promise<void>;
  /** Ticks come no more to this process. */
  stop(): Promise<void>;
  /**
   * They come to nobody any more.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  forget(): Promise<void>;
}

/** How many jobs a queue has; a job is a batch of records. */
export interface QueueDepth {
  /** Nobody has taken them yet. */
  waiting: number;
  /** They come back after a pause. */
  delayed: number;
  /** Somebody is at work on them. */
  active: number;
}

/** Carries keys to workers, wakes them, waits, and keeps schedules. What a delivery is, it does not know. */
export interface DeliveryQueue {
  readonly engine: 'in-process' | 'bullmq';
  /** Jobs in flight at most; over all workers of the queue. */
  readonly concurrency: number;
  /**
   * @param options `background`: if workers are shared, other waiting jobs come first
   * @returns `done` resolves once all of these jobs are finished; absent: other processes may take them
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  add(jobs: readonly DeliveryJob[], options?: { background: boolean }): Promise<{ done?: Promise<unknown> }>;
  /** Starts handing jobs to the handler. A handler that throws has its job repeated after a growing pause. */
  work(handler: JobHandler): Promise<QueueWorker>;
  /**
   * Calls `onTick` whenever a sync is due; an interval that was kept already keeps its clock. Of all processes that share
   * the queue, one is called. Schedules that were kept before and are not among these end.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  schedule(entries: readonly ScheduleEntry[], onTick: (tick: Tick) => void): Promise<KeptSchedules>;
  /**
   * Over all workers of the queue.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}
