import { CodedError } from '../../core/errors.ts';
import type { DeliveryJob } from '../../core/queue.ts';
import type { ApplyRules } from '../../ledger/plans/make-desired.ts';
import type { Verdict } from '../../ledger/plans/verdict.ts';
import { createsAgain } from '../compare/decide.ts';
import type { RunContext } from '../context/run-context.ts';
import { othersOf } from '../match/find-alike.ts';
import { findRacing } from '../match/settle-alike.ts';

/** Records of a batch for each request that may be in flight: other syncs wait for the end of a batch. */
const ROUNDS = 6;
const LONGEST_BATCH = 200;
/** Enough batches to occupy several workers. */
const FEWEST_BATCHES = 8;
const FIRST_LOOK_MS = 20;
const LOOK_MS = 500;
/** If no record is settled for this long, all are queued again: Redis may have lost their jobs. */
const REQUEUE_MS = 15_000;

/** Makes the staged plan of a run the desired state and delivers it. The run ends with the last of its records. */
export async function applyPlan(
  run: string,
  verdict: Verdict,
  context: RunContext,
  { provesAbsence, newestId }: Pick<ApplyRules, 'provesAbsence'> & Pick<RunContext, 'newestId'> = {},
): Promise<void> {
  const { ledger, sync } = context;
  const keepPasswords = createsAgain(sync);
  // Another sync may have planned the same at the same time.
  const racing = sync.alike === 'allow' ? undefined : { ...othersOf(context), find: findRacing(context) };
  const keys = await ledger.plans.apply(run, sync.name, { verdict, keepPasswords, provesAbsence, racing });
  await enqueueAndWait(run, keys, { ...context, newestId });
}

type KeysContext = Pick<
  RunContext,
  | 'ledger'
  | 'queue'
  | 'work'
  | 'sync'
  | 'target'
  | 'newestId'
  | 'runtime'
  | 'signal'
  | 'onProgress'
  | 'log'
  | 'background'
>;

/**
 * Queues the pending records of a run and waits until all of them are settled; then the run has ended.
 * @throws CodedError FF_QUEUE_UNAVAILABLE if they cannot be queued at all
 */
export async function enqueueAndWait(run: string, keys: readonly string[], context: KeysContext): Promise<void> {
  const { ledger, queue, log, background = false } = context;
  if (keys.length === 0) {
    await ledger.runs.finish(run);
    return;
  }
  const enqueue = () => queue.add(toJobs(run, keys, context), { background });
  const { done } = await enqueue();
  // A worker that has just begun takes these jobs before those in the background.
  await context.work();
  await waitUntilSettled(run, keys.length, { done, enqueueAgain }, context);

  /** If Redis is away, the next timer tries again. */
  async function enqueueAgain(): Promise<void> {
    try {
      await enqueue();
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'FF_QUEUE_UNAVAILABLE') throw error;
      log.warn({ run, code: error.code }, `${error.message} The records will be queued again later.`);
    }
  }
}

/** Splits the records into batches that fill the limit on requests in flight, if there are enough records. */
function toJobs(run: string, keys: readonly string[], { sync, target, newestId }: KeysContext): DeliveryJob[] {
  const longest = Math.min(LONGEST_BATCH, ROUNDS * target.concurrency);
  const size = Math.min(longest, Math.max(target.concurrency, Math.ceil(keys.length / FEWEST_BATCHES)));
  const jobs: DeliveryJob[] = [];
  for (let start = 0; start < keys.length; start += size) {
    const following = Math.ceil(keys.length / size) - jobs.length - 1;
    const batch = { run, sync: sync.name, keys: keys.slice(start, start + size), following };
    jobs.push({ ...batch, ...(newestId !== undefined && { newestId }) });
  }
  return jobs;
}

/**
 * Asks the ledger, not the queue: any worker may settle the last record, and Redis may lose jobs.
 * @param done resolves once this process has finished all jobs
 */
async function waitUntilSettled(
  run: string,
  total: number,
  { done, enqueueAgain }: { done?: Promise<unknown>; enqueueAgain: () => Promise<void> },
  context: KeysContext,
): Promise<void> {
  const { ledger, queue, sync, runtime, signal, onProgress } = context;
  let last = 0;
  let lastChange = runtime.now();
  const finished = new AbortController();
  void done?.then(() => finished.abort());
  const wake = AbortSignal.any([signal, finished.signal]);
  onProgress?.({ phase: 'delivering', sync: sync.name, settled: 0, total });
  for (let lookMs = done ? LOOK_MS : FIRST_LOOK_MS; ; lookMs = Math.min(LOOK_MS, lookMs * 1.5)) {
    // After this process has finished, others may still have records of the run.
    const ends = finished.signal.aborted ? signal : wake;
    await runtime.sleep(lookMs, { signal: ends }).catch(() => signal.throwIfAborted());
    const { isRunning, settled, pending } = await ledger.runs.progress(run);
    onProgress?.({ phase: 'delivering', sync: sync.name, settled, total: settled + pending });
    if (!isRunning) return;
    if (pending === 0) {
      await ledger.runs.finish(run);
      return;
    }
    if (settled !== last) [last, lastChange] = [settled, runtime.now()];
    else if (queue.engine === 'bullmq' && runtime.now() - lastChange > REQUEUE_MS) {
      lastChange = runtime.now();
      await enqueueAgain();
    }
  }
}
