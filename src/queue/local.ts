import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { nextTick } from '../core/dates/ticks.ts';
import type {
  DeliveryJob,
  DeliveryQueue,
  JobHandler,
  KeptSchedules,
  QueueDepth,
  QueueWorker,
  ScheduleEntry,
  Tick,
} from '../core/queue.ts';
import { crashDelay, MAX_REPEATS, SHORTEST_PAUSE_MS } from './backoff.ts';
import { startTimer } from './timer.ts';

interface QueuedJob {
  job: DeliveryJob;
  onDone(): void;
}

/** Creates the queue of one process, which keeps nothing: undelivered records are in the ledger, and wait for the next run. */
export function createLocalQueue({ concurrency, log }: { concurrency: number; log: Logger }): DeliveryQueue {
  const limit = pLimit(concurrency);
  const waiting: QueuedJob[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  const workers = new Set<QueueWorker>();
  let start: ((job: QueuedJob) => void) | undefined;

  return { engine: 'in-process', concurrency, add, work, schedule, depth, close };

  async function add(jobs: readonly DeliveryJob[]): Promise<{ done: Promise<unknown> }> {
    const done = jobs.map((job) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const queued = { job, onDone: resolve };
      start ? start(queued) : waiting.push(queued);
      return promise;
    });
    return { done: Promise.all(done) };
  }

  async function work(handler: JobHandler): Promise<QueueWorker> {
    const stopping = new AbortController();
    const running = new Set<Promise<void>>();

    start = (job) => run(job, 1);
    for (const job of waiting.splice(0)) start(job);
    const worker = { stop };
    workers.add(worker);
    return worker;

    function run(queued: QueuedJob, attempt: number): void {
      const done = limit(async () => {
        if (stopping.signal.aborted) return;
        const repeatAfterMs = await attemptJob(queued.job, attempt);
        if (repeatAfterMs === undefined) return queued.onDone();
        if (stopping.signal.aborted) return;
        const pause = setTimeout(() => {
          pauses.delete(pause);
          run(queued, attempt + 1);
        }, repeatAfterMs);
        pauses.add(pause);
      });
      running.add(done);
      void done.finally(() => running.delete(done));
    }

    async function attemptJob(job: DeliveryJob, attempt: number): Promise<number | undefined> {
      try {
        const result = await handler(job, stopping.signal);
        return result.is === 'again' ? Math.max(SHORTEST_PAUSE_MS, result.afterMs) : undefined;
      } catch (error) {
        log.error({ err: error, run: job.run, sync: job.sync, attempt }, 'A job failed.');
        return attempt < MAX_REPEATS ? crashDelay(attempt) : undefined;
      }
    }

    async function stop(): Promise<void> {
      start = undefined;
      stopping.abort();
      for (const pause of pauses) clearTimeout(pause);
      pauses.clear();
      await Promise.all(running);
    }
  }

  async function schedule(entries: readonly ScheduleEntry[], onTick: (tick: Tick) => void): Promise<KeptSchedules> {
    const now = Date.now();
    const timers = entries.map(({ sync, schedule: when, from = now }) =>
      startTimer(
        (after) => nextTick(when, after, from),
        (at) => onTick({ sync, at }),
      ),
    );
    const stop = async () => {
      for (const stopTimer of timers) stopTimer();
    };
    workers.add({ stop });
    return { keep: async () => {}, stop, forget: stop };
  }

  async function depth(): Promise<QueueDepth> {
    return { waiting: waiting.length + limit.pendingCount, delayed: pauses.size, active: limit.activeCount };
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.stop()));
  }
}
