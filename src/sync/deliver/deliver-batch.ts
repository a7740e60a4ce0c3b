import pRetry from 'p-retry';
import type { Outcome } from '../../core/outcome.ts';
import type { DeliveryJob, JobResult } from '../../core/queue.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { withoutImages } from './before-image.ts';
import { deliverRecord } from './deliver-record.ts';
import type { Delivery } from './delivery.ts';
import { keepLease, leaseMsOf } from './lease.ts';
import { toSettlement } from './to-settlement.ts';

/** For the seconds in which a ledger restarts; what is not settled then is looked up later. */
const SETTLE_RETRIES = 5;
/** A pause may end earlier than it was meant to. */
const LONGEST_POSTPONEMENT_MS = 60_000;
/** A process with the config that the run began with takes a job well within it. */
const ELSEWHERE_MS = 500;

/**
 * Delivers the records of a job, one after the other: claim, act, settle. While one is settled, the next is on its way.
 * Records that others hold or that are to be tried again bring the job back. When the run has ended meanwhile there is
 * nothing to do; where it delivers to another place than the config of this process says, another one has to.
 * @param signal asks to take no more; what is in flight may end
 */
export async function deliverBatch(
  job: DeliveryJob,
  context: DeliveryContext,
  signal: AbortSignal,
): Promise<JobResult> {
  const { claims, runs } = context.ledger;
  if (signal.aborted) return { is: 'again', afterMs: 0 };
  const run = await runs.state(job.run);
  if (!run?.isRunning) return { is: 'done' };
  if (run.target !== context.targetId) return { is: 'again', afterMs: ELSEWHERE_MS };
  const claimedAt = performance.now();
  const records = await claims.claim(job.sync, job.keys, leaseMsOf(context.target));
  const untouched = new Set(records);
  const unsettled = new Set(records);
  const lease = keepLease(unsettled, claimedAt, context);
  const giveUp = afterGrace(signal, context.stopAfterMs);
  const acting = { ...context, call: { signal: giveUp.signal, maySend: lease.maySend } };
  const settling: Array<Promise<void>> = [];
  const failures: unknown[] = [];
  let end: Extract<Outcome, { is: 'stopped' | 'postponed' }> | undefined;
  try {
    for (const record of records) {
      if (signal.aborted || end) break;
      untouched.delete(record);
      const delivery = await deliverRecord(record, acting);
      const settled = settle(record, delivery, context).then(() => void unsettled.delete(record));
      settling.push(settled.catch((error: unknown) => void failures.push(error)));
      if (delivery.outcome.is === 'stopped' || delivery.outcome.is === 'postponed') end = delivery.outcome;
    }
  } finally {
    giveUp.cancel();
    await Promise.all(settling);
    lease.end();
    await claims.release([...untouched]);
  }
  if (failures.length > 0) throw failures[0];
  if (end?.is === 'stopped') await endRun(job, end, context);
  return whatIsLeft(job, end, context);
}

/** A signal that follows another, so that what is in flight has some time to end by itself. */
function afterGrace(signal: AbortSignal, graceMs: number): { signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    timer = setTimeout(() => controller.abort(signal.reason), graceMs);
  };
  signal.addEventListener('abort', start, { once: true });
  return {
    signal: controller.signal,
    cancel() {
      signal.removeEventListener('abort', start);
      clearTimeout(timer);
    },
  };
}

async function settle(record: ClaimedRecord, delivery: Delivery, context: DeliveryContext): Promise<void> {
  const { ledger, log, keepsBefore } = context;
  const sent = delivery.sent && !keepsBefore ? withoutImages(delivery.sent) : delivery.sent;
  const settlement = toSettlement(record, delivery, context);
  if ('reason' in settlement)
    log.warn({ key: record.key, code: settlement.code, is: settlement.is }, settlement.reason);
  const settled = await pRetry(() => ledger.claims.settle(record, settlement, sent), {
    retries: SETTLE_RETRIES,
    minTimeout: 100,
  });
  if (!settled) log.warn({ key: record.key }, 'A record was settled by others meanwhile, or its lease has lapsed.');
}

async function endRun(
  job: DeliveryJob,
  { error }: Extract<Outcome, { is: 'stopped' }>,
  context: DeliveryContext,
): Promise<void> {
  await context.ledger.runs.finish(job.run, { status: 'failed', code: error.code, message: error.message });
}

/** The worker that settles the last record of a run finishes it. */
async function whatIsLeft(
  job: DeliveryJob,
  end: Extract<Outcome, { is: 'stopped' | 'postponed' }> | undefined,
  { ledger }: DeliveryContext,
): Promise<JobResult> {
  const run = await ledger.runs.state(job.run);
  if (!run?.isRunning) return { is: 'done' };
  if (!run.hasPending) {
    await ledger.runs.finish(job.run);
    return { is: 'done' };
  }
  const { pending, dueInMs } = await ledger.claims.outstanding(job.sync, job.keys);
  return pending > 0 ? { is: 'again', afterMs: Math.max(dueInMs, postponedMs(end)) } : { is: 'done' };
}

function postponedMs(end: Outcome | undefined): number {
  return end?.is === 'postponed' ? Math.min(end.afterMs, LONGEST_POSTPONEMENT_MS) : 0;
}
