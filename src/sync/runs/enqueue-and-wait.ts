import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../core/errors.ts';
import type { DeliveryJob } from '../../core/queue.ts';
import type { RunContext } from '../context/run-context.ts';

const LONGEST_BATCH = 50;
/** A place whose requests take longer leaves more to the others. */
const FEWEST_WAVES = 4;
const FIRST_LOOK_MS = 20;
const LOOK_MS = 500;
/** Records that nobody has touched for so long are queued again: Redis may have lost their jobs. */
const REQUEUE_MS = 15_000;

type KeysContext = Pick<
  RunContext,
  'ledger' | 'queue' | 'work' | 'sync' | 'signal' | 'onProgress' | 'log' | 'background'
>;

/**
 * Queues the pending records of a run and waits until all of them are settled; then the run is finished.
 * @throws CodedError FF_QUEUE_UNAVAILABLE where they cannot be queued at all
 */
export async function enqueueAndWait(run: string, keys: readonly string[], context: KeysContext): Promise<void> {
  if (keys.length === 0) {
    await context.ledger.runs.finish(run);
    return;
  }
  await context.work();
  await enqueue(run, keys, context);
  await waitUntilSettled(run, keys, context);
}

function enqueue(run: string, keys: readonly string[], context: KeysContext): Promise<void> {
  return context.queue.add(toJobs(run, keys, context), { background: context.background ?? false });
}

/** Batches of tens, of a size that gives every place the same number of them, so that all end at about the same time. */
function toJobs(run: string, keys: readonly string[], { sync, queue }: KeysContext): DeliveryJob[] {
  const waves = Math.max(FEWEST_WAVES, Math.ceil(keys.length / (LONGEST_BATCH * queue.concurrency)));
  const size = Math.ceil(keys.length / (waves * queue.concurrency));
  const jobs: DeliveryJob[] = [];
  for (let start = 0; start < keys.length; start += size) {
    jobs.push({ run, sync: sync.name, keys: keys.slice(start, start + size) });
  }
  return jobs;
}

/** Looks at the ledger, not at the queue: any worker may settle the last record, and Redis may forget. */
async function waitUntilSettled(run: string, keys: readonly string[], context: KeysContext): Promise<void> {
  const { ledger, queue, sync, signal, onProgress } = context;
  let last = -1;
  let lastChange = Date.now();
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(LOOK_MS, lookMs * 1.5)) {
    const running = await ledger.runs.isRunning(run);
    const { settled, pending } = await ledger.runs.progress(run);
    onProgress?.({ phase: 'delivering', sync: sync.name, settled, total: settled + pending });
    if (!running) return;
    if (pending === 0) {
      await ledger.runs.finish(run);
      return;
    }
    if (settled !== last) [last, lastChange] = [settled, Date.now()];
    else if (queue.engine === 'bullmq' && Date.now() - lastChange > REQUEUE_MS) {
      lastChange = Date.now();
      await queueAgain(run, keys, context);
    }
    await sleep(lookMs, undefined, { signal });
  }
}

/** While Redis is away there is nothing to do but wait: it, or its successor, is asked again later. */
async function queueAgain(run: string, keys: readonly string[], context: KeysContext): Promise<void> {
  try {
    await enqueue(run, keys, context);
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'FF_QUEUE_UNAVAILABLE') throw error;
    context.log.warn({ run, code: error.code }, `${error.message} The records are queued again later.`);
  }
}
