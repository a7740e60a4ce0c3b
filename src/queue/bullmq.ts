import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { CodedError, messageOf } from '../core/errors.ts';
import {
  type DeliveryJob,
  type DeliveryQueue,
  deliveryJob,
  type GiveUp,
  type JobHandler,
  type QueueWorker,
} from '../core/queue.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { crashDelay, MOST_THROWS, SHORTEST_PAUSE_MS } from './backoff.ts';
import { depthOf, stateOf } from './bullmq-state.ts';

export interface BullmqOptions {
  url: string;
  /** Distinguishes the queues in one Redis: one name per target, without a colon. */
  name: string;
  /** Jobs in flight in each worker. */
  concurrency: number;
  log: Logger;
  /** How long a job in flight may take to end when a worker is stopped, in ms. Default 8,000. */
  stopAfterMs?: number;
  mostThrows?: number;
}

/** The value is arbitrary: jobs without a priority come first. */
const BACKGROUND = 10;
const KEPT_FAILED_JOBS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
/** Time for a worker to report the results of its jobs to Redis. */
const CLOSING_MS = 1_000;
// The jobs of a killed worker count as in flight until they are found to be stalled, so this is checked often. A job that
// stalls only because its worker is busy runs twice; the claims in the ledger prevent that a record is delivered twice.
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 3_000;
const MAX_STALLS = 50;
const thisWorker = `${hostname()}/${process.pid}`;
const JOB_OPTIONS = {
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: { count: KEPT_FAILED_JOBS },
};

/**
 * Opens the queue on Redis, for any number of workers on any number of machines.
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function openBullmqQueue(options: BullmqOptions): Promise<DeliveryQueue> {
  const { name, concurrency, log, stopAfterMs = 8_000, mostThrows = MOST_THROWS } = options;
  const producer = await connect(options, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
  const defaultJobOptions = { ...JOB_OPTIONS, attempts: mostThrows };
  const deliveries = new Queue<DeliveryJob>(name, { connection: producer, defaultJobOptions });
  const closers: Array<() => Promise<void>> = [];
  deliveries.on('error', (error) => log.warn({ err: error }, 'Redis failed.'));

  return { engine: 'bullmq', add, work, depth, state, close };

  async function add(jobs: readonly DeliveryJob[], { background = false } = {}) {
    const opts = background ? { priority: BACKGROUND } : {};
    await guarded(deliveries.addBulk(jobs.map((data) => ({ name: data.sync, data, opts }))));
    return {};
  }

  async function work(handler: JobHandler, giveUp: GiveUp): Promise<QueueWorker> {
    const stopping = new AbortController();
    const connection = await connect(options, { maxRetriesPerRequest: null });
    const worker = new Worker<DeliveryJob, void>(name, process, {
      connection,
      name: thisWorker,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLS,
      settings: { backoffStrategy: (attemptsMade) => crashDelay(attemptsMade, systemClock) },
    });
    worker.on('error', (error) => log.warn({ err: error }, 'Redis failed.'));
    worker.on('failed', (job, error) => {
      const { run, sync } = job?.data ?? {};
      log.error({ err: error, run, sync, job: job?.id, queue: name }, 'A job failed.');
    });
    let stopped: Promise<void> | undefined;
    closers.push(stop);
    await guarded(worker.waitUntilReady());
    return { stop };

    async function process(job: Job<DeliveryJob>, token?: string): Promise<void> {
      const { data, success } = deliveryJob.safeParse(job.data);
      if (!success) throw new UnrecoverableError('The job is from another version of feedferry.');
      const result = await handler(data, stopping.signal).catch(async (error: unknown) => {
        if (job.attemptsMade + 1 >= mostThrows) await giveUp(data, error);
        throw error;
      });
      if (result.is === 'done') return;
      // Not a failure: the job is repeated for its remaining records.
      const delay = Math.max(SHORTEST_PAUSE_MS, result.afterMs);
      if (job.attemptsMade > 0) {
        // BullMQ counts all throws of a job; only those in a row matter, so a new job takes its place.
        await deliveries.add(data.sync, data, { delay, priority: job.opts.priority });
        return;
      }
      await job.moveToDelayed(Date.now() + delay, token);
      throw new DelayedError();
    }

    function stop(): Promise<void> {
      stopped ??= end();
      return stopped;
    }

    async function end(): Promise<void> {
      stopping.abort();
      // Without Redis, the worker would wait for it.
      const deadline = sleep(stopAfterMs + CLOSING_MS, false, { ref: false });
      const isClosed = await Promise.race([worker.close().then(() => true), deadline]);
      if (!isClosed) log.warn('A worker could not report its last jobs to Redis.');
      connection.disconnect();
    }
  }

  function depth() {
    return guarded(depthOf(deliveries));
  }

  function state() {
    return guarded(stateOf(deliveries));
  }

  async function close(): Promise<void> {
    await Promise.all(closers.map((closer) => closer()));
    await deliveries.close();
    producer.disconnect();
  }
}

/** Counts the jobs of a queue by state. Writes nothing. */
export async function countJobs(name: string, connection: Redis): Promise<Record<string, number>> {
  // BullMQ would print warnings about the server, but the caller examines the server itself.
  const queue = new Queue(name, { connection, skipMetasUpdate: true, skipVersionCheck: true });
  try {
    return await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
  } finally {
    await queue.close();
  }
}

async function connect(
  options: BullmqOptions,
  redisOptions: { maxRetriesPerRequest: number | null; enableOfflineQueue?: boolean },
) {
  const redis = new Redis(options.url, {
    ...redisOptions,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
  });
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => {
    lastError = error;
    options.log.debug({ err: error }, 'The connection to Redis failed.');
  });
  try {
    await redis.connect();
    return redis;
  } catch (error) {
    redis.disconnect();
    // The error thrown only says that the connection is closed.
    throw unavailable(lastError ?? error, options.url);
  }
}

function guarded<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw unavailable(error);
  });
}

/** Returns the error for a Redis that does not work. */
export function unavailable(error: unknown, url = ''): CodedError {
  // A Redis without TLS takes the TLS greeting for a command, and waits for the rest.
  const isSilent = url.startsWith('rediss:') && (error as NodeJS.ErrnoException).code === 'ETIMEDOUT';
  const hint = isSilent
    ? '. Either it does not use TLS on this port (then the address begins with redis://), or it is down'
    : '';
  return new CodedError('FF_QUEUE_UNAVAILABLE', `Redis (REDIS_URL) failed: ${messageOf(error)}${hint}`, {
    cause: error,
  });
}
