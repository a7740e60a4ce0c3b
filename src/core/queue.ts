import { z } from 'zod';

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
  schedule: { cron: string; timezone: string } | { everyMs: number };
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
   * @param options `background`: where workers are shared, other jobs that wait come first
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  add(jobs: readonly DeliveryJob[], options?: { background: boolean }): Promise<void>;
  /** Starts handing jobs to the handler. A handler that throws has its job repeated after a growing pause. */
  work(handler: JobHandler): Promise<QueueWorker>;
  /** Calls `onDue` whenever a sync is due, until the worker is stopped. Replaces all schedules kept before. */
  schedule(entries: readonly ScheduleEntry[], onDue: (sync: string) => Promise<void>): Promise<QueueWorker>;
  /**
   * Over all workers of the queue.
   * @throws CodedError FF_QUEUE_UNAVAILABLE
   */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}
