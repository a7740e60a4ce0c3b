import type { Job, Queue } from 'bullmq';
import {
  type DeliveryJob,
  deliveryJob,
  type QueueDepth,
  type QueueFailure,
  type QueueProcess,
  type QueueState,
} from '../core/queue.ts';

const MOST_FAILURES = 10;

/** Counts the jobs of a queue. */
export async function depthOf(queue: Queue<DeliveryJob>): Promise<QueueDepth> {
  const {
    wait = 0,
    prioritized = 0,
    delayed = 0,
    active = 0,
  } = await queue.getJobCounts(...(['wait', 'prioritized', 'delayed', 'active'] as const));
  return { waiting: wait + prioritized, delayed, active };
}

/** Reads the waiting and failed jobs of a queue, and the processes that take its jobs. */
export async function stateOf(queue: Queue<DeliveryJob>): Promise<QueueState> {
  const [depth, oldest, failed, delayed, clients] = await Promise.all([
    depthOf(queue),
    // The oldest job of each kind.
    queue.getJobs(['wait', 'prioritized'], 0, 0, true),
    queue.getJobs('failed', 0, MOST_FAILURES - 1),
    queue.getJobs('delayed', 0, MOST_FAILURES - 1),
    queue.getWorkers(),
  ]);
  const oldestAt = Math.min(...oldest.map(({ timestamp }) => timestamp));
  // A delayed job without a failure is to be repeated, as its handler asked.
  const failing = [...failed, ...delayed.filter(({ failedReason }) => failedReason)];
  // Some hosted servers do not list their clients.
  const isListed = clients.every(({ rawname }) => rawname !== undefined);
  return {
    ...depth,
    oldestAt: Number.isFinite(oldestAt) ? oldestAt : undefined,
    failures: failing.slice(0, MOST_FAILURES).map(toFailure),
    workers: isListed ? clients.map(toProcess) : undefined,
  };
}

function toFailure({ data, attemptsMade, failedReason, finishedOn }: Job<unknown>): QueueFailure {
  const { data: job } = deliveryJob.safeParse(data);
  return {
    job: job && { sync: job.sync, run: job.run, records: job.keys.length },
    tries: attemptsMade,
    reason: failedReason,
    abandonedAt: finishedOn,
  };
}

/** The name of a worker's connection ends with the name of the worker. */
function toProcess({ rawname = '', age }: Record<string, string>): QueueProcess {
  const [, name = 'unnamed'] = rawname.split(':w:');
  return { name, since: age === undefined ? undefined : Date.now() - Number(age) * 1000 };
}
