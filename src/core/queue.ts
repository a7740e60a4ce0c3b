import { z } from 'zod';

/**
 * A batch of records to process: their keys, never their content. `newestId`: the highest id that the CMS has shown before the
 * creates of the run; `following`: how many batches of the run come later.
 */
export const deliveryJob = z.object({
  run: z.string(),
  sync: z.string(),
  keys: z.array(z.string()),
  newestId: z.number().optional(),
  following: z.number().optional(),
});
export type DeliveryJob = z.output<typeof deliveryJob>;

/** Result of a job: finished, or to be repeated for the undelivered records. */
export type JobResult = { is: 'done' } | { is: 'again'; afterMs: number };

export type JobHandler = (job: DeliveryJob, signal: AbortSignal) => Promise<JobResult>;

/** Called before a queue drops a job whose handler has thrown too often in a row, with the last error. */
export type GiveUp = (job: DeliveryJob, error: unknown) => Promise<unknown>;

/** A running worker of a queue. */
export interface QueueWorker {
  /** Takes no more jobs, aborts the signal of the running jobs, and resolves when these have returned. */
  stop(): Promise<void>;
}

/** How many jobs a queue has; a job is a batch of records. */
export interface QueueDepth {
  /** Not yet taken by a worker. */
  waiting: number;
  /** Returning after a pause. */
  delayed: number;
  /** In progress. */
  active: number;
}

/** A process that takes jobs. */
export interface QueueProcess {
  /** Host and process id. */
  name: string;
  /** ms since 1970. */
  since?: number;
}

/** A job whose handler threw. */
export interface QueueFailure {
  /** The job's run, and its number of records. Absent: another version of feedferry has added the job. */
  job?: { sync: string; run: string; records: number };
  /** How often its handler has thrown in a row. */
  tries: number;
  /** Message of the last error. */
  reason: string;
  /** In ms since 1970; absent: the job is repeated after a pause. */
  abandonedAt?: number;
}

/** The waiting and failed jobs of a queue, and the processes that take its jobs. */
export interface QueueState extends QueueDepth {
  /** When the oldest waiting job was added, in ms since 1970. */
  oldestAt?: number;
  /** The last failures, those without repeats first. */
  failures: QueueFailure[];
  /** Absent: the queue does not know the processes of other workers. */
  workers?: QueueProcess[];
}

/**
 * Carries keys to workers, wakes the workers, and waits. It does not know what a delivery is. `add`, `depth` and `state` throw
 * CodedError FF_QUEUE_UNAVAILABLE.
 */
export interface DeliveryQueue {
  readonly engine: 'in-process' | 'bullmq';
  /**
   * @param options `background`: if workers are shared, other waiting jobs come first
   * @returns `done` resolves once all of these jobs are finished; absent: other processes may take them
   */
  add(jobs: readonly DeliveryJob[], options?: { background: boolean }): Promise<{ done?: Promise<unknown> }>;
  /** Starts passing jobs to the handler. If the handler throws, the job is repeated after a growing pause, until it is given up. */
  work(handler: JobHandler, giveUp: GiveUp): Promise<QueueWorker>;
  /** Counts the jobs, over all workers of the queue. */
  depth(): Promise<QueueDepth>;
  state(): Promise<QueueState>;
  close(): Promise<void>;
}
