import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { messageOf } from '../core/errors.ts';
import type { DeliveryJob, DeliveryQueue, GiveUp, JobHandler, QueueFailure, QueueWorker } from '../core/queue.ts';
import { type Clock, systemClock } from '../core/runtime/clock.ts';
import { crashDelay, MOST_THROWS, SHORTEST_PAUSE_MS } from './backoff.ts';

interface QueuedJob {
  job: DeliveryJob;
  addedAt: number;
  onDone(): void;
}

interface LocalQueueOptions {
  concurrency: number;
  log: Logger;
  clock?: Clock;
  mostThrows?: number;
}

/** Creates the queue of one process, which stores nothing: undelivered records are in the ledger, and wait for the next run. */
export function createLocalQueue(options: LocalQueueOptions): DeliveryQueue {
  const { concurrency, log, clock = systemClock, mostThrows = MOST_THROWS } = options;
  const limit = pLimit(concurrency);
  const waiting: QueuedJob[] = [];
  /** In the order in which they were added. */
  const notTaken = new Set<QueuedJob>();
  let delayed = 0;
  /** The jobs whose last attempt threw. */
  const failures = new Map<DeliveryJob, QueueFailure>();
  const workers = new Set<QueueWorker>();
  let start: ((job: QueuedJob) => void) | undefined;

  return { engine: 'in-process', add, work, depth, state, close };

  async function add(jobs: readonly DeliveryJob[]) {
    const done = jobs.map((job) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const queued = { job, addedAt: clock.now(), onDone: resolve };
      notTaken.add(queued);
      start ? start(queued) : waiting.push(queued);
      return promise;
    });
    return { done: Promise.all(done) };
  }

  async function work(handler: JobHandler, giveUp: GiveUp): Promise<QueueWorker> {
    const stopping = new AbortController();
    const running = new Set<Promise<void>>();

    start = (queued) => {
      const done = run(queued).finally(() => running.delete(done));
      running.add(done);
    };
    for (const queued of waiting.splice(0)) start(queued);
    const worker = { stop };
    workers.add(worker);
    return worker;

    async function run(queued: QueuedJob): Promise<void> {
      const { job, onDone } = queued;
      while (!stopping.signal.aborted) {
        const repeatAfterMs = await limit(() => {
          notTaken.delete(queued);
          return attemptJob(job);
        });
        if (repeatAfterMs === undefined) return onDone();
        delayed += 1;
        await clock.sleep(repeatAfterMs, { signal: stopping.signal }).catch(() => {});
        delayed -= 1;
      }
    }

    /** Returns the pause before the next attempt; undefined: the job is finished. */
    async function attemptJob(job: DeliveryJob): Promise<number | undefined> {
      if (stopping.signal.aborted) return 0;
      try {
        const result = await handler(job, stopping.signal);
        failures.delete(job);
        return result.is === 'again' ? Math.max(SHORTEST_PAUSE_MS, result.afterMs) : undefined;
      } catch (error) {
        const throws = (failures.get(job)?.tries ?? 0) + 1;
        log.error({ err: error, run: job.run, sync: job.sync, attempt: throws }, 'A job failed.');
        failures.set(job, failureOf(job, throws, error));
        return throws >= mostThrows && (await isGivenUp(job, error)) ? undefined : crashDelay(throws, clock);
      }
    }

    /** A job that cannot be given up, because the ledger is away, is repeated. */
    async function isGivenUp(job: DeliveryJob, error: unknown): Promise<boolean> {
      try {
        await giveUp(job, error);
        failures.delete(job);
        return true;
      } catch (failure) {
        log.error({ err: failure, run: job.run, sync: job.sync }, 'A job could not be given up.');
        return false;
      }
    }

    async function stop(): Promise<void> {
      start = undefined;
      stopping.abort();
      await Promise.all(running);
    }
  }

  async function depth() {
    return { waiting: waiting.length + limit.pendingCount, delayed, active: limit.activeCount };
  }

  async function state() {
    const [oldest] = notTaken;
    return { ...(await depth()), oldestAt: oldest?.addedAt, failures: [...failures.values()] };
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.stop()));
  }
}

function failureOf({ sync, run, keys }: DeliveryJob, tries: number, error: unknown): QueueFailure {
  return { job: { sync, run, records: keys.length }, tries, reason: messageOf(error) };
}
