import { isLedgerFault, toCodedError } from '../../core/errors.ts';
import type { DeliveryJob, JobResult } from '../../core/queue.ts';
import { repeatAfterPauses, retryDelay } from '../../core/retry.ts';
import type { Clock, Timer } from '../../core/runtime/clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { deliverRecord } from './deliver-record.ts';
import { keepLease, leaseMsOf, startStopwatch } from './lease.ts';
import { takeBackLate } from './take-back.ts';

/** Bridges the seconds that a ledger takes to restart. Deliveries that are not settled by then are looked up later. */
const SETTLE_RETRIES = 5;
const SETTLE_PAUSES = { backoffMs: 200, maxBackoffMs: 3_200 };
/** A pause may end earlier than announced, and the ledger's clock may be set. */
const LONGEST_POSTPONEMENT_MS = 60_000;
/** Long enough for a process with the run's target to take the job. */
const OTHER_TARGET_MS = 500;

/** How often a batch looks whether its run has ended, or was cancelled. */
const LOOK_MS = 1_000;

/** A result that ends the work on a job, because no further request would be let through. */
type JobEnd = Extract<DeliveryResult, { is: 'stopped' | 'postponed' }>;

/**
 * Delivers the records of a job: claims them, acts and settles. Prepares as many records at once as may be in flight; the gate
 * lets their requests through. The next records are delivered while the last are settled. The job is repeated for records that
 * other processes hold or that need another attempt. Does nothing if the run has ended; if its target is not that of this
 * process, leaves the job to another process. A ledger that cannot be written ends the run.
 * @param signal asks to take no further records; requests in flight may end
 */
export async function deliverBatch(
  job: DeliveryJob,
  context: DeliveryContext,
  signal: AbortSignal,
): Promise<JobResult> {
  try {
    return await deliverClaimed(job, context, signal);
  } catch (error) {
    if (!isLedgerFault(error)) throw error;
    // If this cannot be written either, the heartbeat of the run fails, too.
    await context.ledger.runs.finish(job.run, { status: 'failed', code: error.code, message: error.message });
    return { is: 'done' };
  }
}

async function deliverClaimed(job: DeliveryJob, context: DeliveryContext, signal: AbortSignal): Promise<JobResult> {
  const { ledger } = context;
  const { newestId, following = 0 } = job;
  if (signal.aborted) return { is: 'again', afterMs: 0 };
  const run = await ledger.runs.state(job.run);
  if (!run?.isRunning) return { is: 'done' };
  if (run.target !== context.targetId) return { is: 'again', afterMs: OTHER_TARGET_MS };
  const sinceClaim = startStopwatch(context.runtime);
  const records = await ledger.records.claim(job.sync, job.keys, leaseMsOf(context), job.run);
  const untouched = new Set(records);
  const [first] = records;
  if (!first) return finishOrRepeat(job, undefined, context);
  const lease = keepLease(first, sinceClaim, context);
  const giveUp = afterGrace(signal, context.stopAfterMs, context.runtime);
  const ended = watchEnd(job.run, context);
  const stopping = AbortSignal.any([signal, ended.signal]);
  const settling: Array<Promise<void>> = [];
  const failures: unknown[] = [];
  const allSent = Promise.withResolvers<void>();
  const deliveries: Array<Promise<void>> = [];
  let end: JobEnd | undefined;
  try {
    await context.lanes.map(records, inLane);
    allSent.resolve();
    await Promise.all(deliveries);
  } finally {
    giveUp.cancel();
    ended.cancel();
    const isEnded = ledger.records.endClaim(records).catch(() => false);
    ledger.records.flushSettlements();
    await Promise.all(settling);
    lease.end();
    if (!(await isEnded)) await ledger.records.release([...untouched], first);
  }
  if (failures.length > 0) throw failures[0];
  if (end?.is === 'stopped') {
    await ledger.runs.finish(job.run, { status: 'failed', code: end.code, message: end.reason });
  }
  return finishOrRepeat(job, end, context);

  /** A record that waits for the others leaves its lane to them. */
  function inLane(record: ClaimedRecord): Promise<void> {
    const waits = Promise.withResolvers<void>();
    const delivery = deliver(record, () => {
      waits.resolve();
      return allSent.promise;
    });
    deliveries.push(delivery);
    return Promise.race([delivery, waits.promise]);
  }

  async function deliver(record: ClaimedRecord, othersSent: () => Promise<void>): Promise<void> {
    if (stopping.aborted || end) return;
    untouched.delete(record);
    const call = { signal: giveUp.signal, stopping, othersSent, ...lease.fence };
    const result = await deliverRecord(record, { ...context, newestId, batch: { records, following }, call });
    const settled = settle(record, result, context);
    settling.push(settled.catch((error: unknown) => void failures.push(error)));
    if (result.is === 'stopped' || result.is === 'postponed') end = result;
  }
}

/** Ends the run of a batch that has failed too often in a row: the run would wait for its records for ever. */
export async function giveUpBatch({ run, keys }: DeliveryJob, error: unknown, ledger: Ledger): Promise<void> {
  const { code, message: reason } = toCodedError(error);
  const records = keys.length === 1 ? '1 record' : `${keys.length} records`;
  const message = `A batch of ${records} failed too often in a row, the last time with: ${reason}`;
  await ledger.runs.finish(run, { status: 'failed', code, message });
}

/** A signal that is aborted when a run no longer runs: nothing new begins for it, and requests in flight may end. */
function watchEnd(run: string, { ledger, log, runtime }: Pick<DeliveryContext, 'ledger' | 'log' | 'runtime'>) {
  const controller = new AbortController();
  const timer = runtime.every(LOOK_MS, () => {
    ledger.runs.state(run).then(
      (state) => void (state?.isRunning || controller.abort()),
      (error: unknown) => log.warn({ err: error }, 'Could not see whether a run was cancelled.'),
    );
  });
  return { signal: controller.signal, cancel: timer.cancel };
}

/** A signal that follows another with a delay, so that requests in flight can end by themselves. */
function afterGrace(signal: AbortSignal, graceMs: number, { after }: Clock): { signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  let timer: Timer | undefined;
  const start = () => {
    timer = after(graceMs, () => controller.abort(signal.reason));
  };
  signal.addEventListener('abort', start, { once: true });
  return {
    signal: controller.signal,
    cancel() {
      signal.removeEventListener('abort', start);
      timer?.cancel();
    },
  };
}

async function settle(
  record: ClaimedRecord,
  result: DeliveryResult,
  context: Pick<DeliveryContext, 'ledger' | 'log' | 'sync' | 'target' | 'cms' | 'runtime'>,
): Promise<void> {
  const { ledger, log, runtime } = context;
  const { key } = record;
  // The run reports it: a CMS that is down fails thousands of records.
  if ('code' in result) log.debug({ key, code: result.code, is: result.is }, result.reason);
  const pauseMs = (_error: Error, attempts: number) => retryDelay(attempts, SETTLE_PAUSES, runtime);
  const rules = { retries: SETTLE_RETRIES, clock: runtime };
  const settled = await repeatAfterPauses(() => ledger.records.settle(record, result), pauseMs, rules);
  if (settled) return;
  log.warn({ key }, 'A record was not settled: its lease has lapsed, or another process has settled it.');
  await takeBackLate(record, result, context);
}

/** The worker that settles the last record of a run finishes it, and the one that settles the last in flight a cancelled run. */
async function finishOrRepeat(
  job: DeliveryJob,
  end: JobEnd | undefined,
  { ledger }: Pick<DeliveryContext, 'ledger'>,
): Promise<JobResult> {
  const run = await ledger.runs.state(job.run);
  if (!run?.isRunning) {
    await ledger.runs.endCancelled(job.run);
    return { is: 'done' };
  }
  if (!run.hasPending) {
    await ledger.runs.finish(job.run);
    return { is: 'done' };
  }
  const { pending, dueInMs } = await ledger.records.outstanding(job.sync, job.keys);
  if (pending === 0) return { is: 'done' };
  const postponedMs = end?.is === 'postponed' ? end.afterMs : 0;
  return { is: 'again', afterMs: Math.min(Math.max(dueInMs, postponedMs), LONGEST_POSTPONEMENT_MS) };
}
