import type { Outcome } from '../core/outcome.ts';
import type { DeliveryJob, JobResult } from '../core/queue.ts';
import type { ClaimedRecord } from '../ledger/claims.ts';
import type { DeliveryContext } from './context.ts';
import { type Delivery, deliverRecord } from './deliver-record.ts';
import { toSettlement } from './settlement.ts';

const LEASE_MS = 60_000;

/**
 * Delivers the records of a job, one after the other: claim, act, settle. Records that others hold or that are to be
 * tried again bring the job back. When the run has ended meanwhile there is nothing to do.
 */
export async function deliverBatch(
  job: DeliveryJob,
  context: DeliveryContext,
  signal: AbortSignal,
): Promise<JobResult> {
  const { claims, runs } = context.ledger;
  if (!(await runs.isRunning(job.run))) return { is: 'done' };
  const unsettled = new Set(await claims.claim(job.sync, job.keys, LEASE_MS));
  const stopRenewing = keepLease(unsettled, context);
  try {
    for (const record of [...unsettled]) {
      if (signal.aborted) break;
      const delivery = await deliverRecord(record, context);
      await settle(record, delivery, context);
      unsettled.delete(record);
      if (delivery.outcome.is === 'stopped') {
        await endRun(job, delivery.outcome, context);
        break;
      }
    }
  } finally {
    stopRenewing();
    await claims.release([...unsettled]);
  }
  return whatIsLeft(job, context);
}

function keepLease(records: ReadonlySet<ClaimedRecord>, { ledger, log }: DeliveryContext): () => void {
  const timer = setInterval(() => {
    ledger.claims
      .renew([...records], LEASE_MS)
      .catch((error: unknown) => log.warn({ err: error }, 'A lease was not renewed.'));
  }, LEASE_MS / 3);
  return () => clearInterval(timer);
}

async function settle(record: ClaimedRecord, delivery: Delivery, context: DeliveryContext): Promise<void> {
  const { ledger, log } = context;
  const settlement = toSettlement(record, delivery, context);
  if ('reason' in settlement)
    log.warn({ key: record.key, code: settlement.code, is: settlement.is }, settlement.reason);
  const settled = await ledger.claims.settle(record, settlement, delivery.sent);
  if (!settled)
    log.warn({ key: record.key }, 'The lease of a record lapsed before it was settled; it will be looked up.');
}

async function endRun(
  job: DeliveryJob,
  { error }: Extract<Outcome, { is: 'stopped' }>,
  context: DeliveryContext,
): Promise<void> {
  await context.ledger.runs.finish(job.run, { status: 'failed', code: error.code, message: error.message });
}

/** The worker that settles the last record of a run finishes it. */
async function whatIsLeft(job: DeliveryJob, { ledger }: DeliveryContext): Promise<JobResult> {
  if (!(await ledger.runs.isRunning(job.run))) return { is: 'done' };
  const { pending, dueInMs } = await ledger.claims.outstanding(job.sync, job.keys);
  if (pending > 0) return { is: 'again', afterMs: dueInMs };
  if (!(await ledger.runs.hasPending(job.run))) await ledger.runs.finish(job.run);
  return { is: 'done' };
}
