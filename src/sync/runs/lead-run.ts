import { CodedError, isLedgerFault, toCodedError } from '../../core/errors.ts';
import type { RunWork } from '../../core/run.ts';
import type { Timer } from '../../core/runtime/clock.ts';
import type { RunContext } from '../context/run-context.ts';
import { formerSyncs } from '../items/former-syncs.ts';
import { cancelOf, endCancelled, watchCancel } from './cancel-run.ts';

const HEARTBEATS_PER_LEASE = 4;
const LOOK_MS = 250;

/**
 * Leads a run of a sync: begins it, renews its lease while it works, and makes sure that it ends. Errors of the work are
 * in the report, not thrown.
 * @param work ends the run itself, unless it throws; the signal of its context is also aborted if a person cancels the run
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function leadRun(
  kind: RunWork,
  context: RunContext,
  work: (run: string, context: RunContext) => Promise<unknown>,
) {
  const { ledger, sync, target } = context;
  await takeOverRenamed(context);
  const { run, isElsewhere } = await beginRun(kind, context);
  const watch = watchCancel(run, context);
  const heartbeat = startHeartbeat(run, () => ledger.runs.heartbeat(run), context, watch.abort);
  const led = { ...context, signal: watch.signal };
  try {
    if (context.asked) await ledger.history.addDeed({ ...context.asked, sync: sync.name, run });
    context.onBegin?.(run);
    if (isElsewhere) await checkTarget(led);
    await ledger.records.releaseExited(sync.name, target.lookupAfterMs);
    await work(run, led);
  } catch (error) {
    await endRun(run, 'failed', error, led);
  } finally {
    heartbeat.cancel();
    watch.cancel();
    await ledger.plans.discard(run);
  }
  const report = await ledger.runs.report(run);
  await context.afterRun?.();
  return report;
}

/**
 * Begins a run of a sync, after the end of a backfill if the caller waits for one.
 * @throws CodedError FF_RUN_BUSY while another run is under way; FF_RUN_INTERRUPTED by the signal
 */
async function beginRun(kind: RunWork, context: RunContext): Promise<{ run: string; isElsewhere: boolean }> {
  const { ledger, sync, signal, runtime, onWait, asked } = context;
  for (let backfill: string | undefined; ; ) {
    try {
      return await ledger.runs.lead(sync.name, kind, { ...context, resource: sync.resource }, asked);
    } catch (error) {
      if (!isBusy(error) || !onWait || kind === 'run' || kind === 'backfill') throw error;
      const other = (await ledger.runs.underWay()).find((each) => each.sync === sync.name);
      if (other && other.kind !== 'backfill') throw error;
      if (other && other.run !== backfill) onWait(other);
      backfill = other?.run ?? backfill;
      if (signal.aborted) throw new CodedError('FF_RUN_INTERRUPTED', 'The run was interrupted before it began.');
      await runtime.sleep(LOOK_MS);
    }
  }
}

/**
 * Takes over the records of the former names of a sync and of its sources.
 * @throws CodedError FF_RUN_BUSY while a run of such a name is under way
 */
export async function takeOverRenamed({ ledger, sync }: RunContext): Promise<void> {
  for (const { name, prefix } of formerSyncs(sync)) {
    await ledger.runs.endLeftAlone(name);
    await ledger.records.takeOverRecords(name, sync.name, prefix);
  }
}

/** Whether a run could not begin because of another one. */
export function isBusy(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'FF_RUN_BUSY';
}

/**
 * Renews the lease of a run until the returned timer is cancelled.
 * @param abort ends the work, because the ledger cannot be written
 */
export function startHeartbeat(
  run: string,
  renew: () => Promise<unknown>,
  { ledger, log, runtime }: RunContext,
  abort?: (error: CodedError) => void,
): Timer {
  return runtime.every(ledger.takeOverAfterMs / HEARTBEATS_PER_LEASE, () => {
    renew().catch((error: unknown) => {
      log.warn({ run, err: error }, 'A heartbeat could not be written.');
      if (isLedgerFault(error)) abort?.(error);
    });
  });
}

/**
 * Makes sure that the records of a sync are in its target, and are items of its resource. Elsewhere, their ids belong to other
 * items or to none, as if all items had been deleted.
 * @throws CodedError FF_DESTINATION_CHANGED
 */
export async function checkTarget(context: RunContext): Promise<void> {
  const { ledger, sync } = context;
  const { resource } = sync;
  const elsewhere = await ledger.runs.countElsewhere(sync.name, { ...context, resource });
  const [first] = Object.entries(elsewhere);
  if (!first) return;
  const [kind, count] = first;
  const records = count === 1 ? '1 record' : `${count} records`;
  const message =
    kind === resource
      ? `The ledger has ${records} of "${sync.name}" in another site or calendar.`
      : `The ledger has ${records} of "${sync.name}" among the ${kind} of the CMS, but the sync says \`resource: ${resource}\`.`;
  throw new CodedError('FF_DESTINATION_CHANGED', message);
}

/** Ends a run early. */
export async function endRun(run: string, status: 'failed' | 'held', error: unknown, context: RunContext) {
  if (cancelOf(context)) return endCancelled(run, context);
  if (context.signal.aborted) await context.stopWork();
  const { code, message } = reasonToEnd(run, error, 'The run was interrupted by a signal.', context);
  await context.ledger.runs.finish(run, { status, code, message });
}

/** The error that ends a run. If the run was cancelled or interrupted, it is that, whatever failure the signal caused. */
export function reasonToEnd(run: string, error: unknown, interrupted: string, context: RunContext): CodedError {
  const { signal } = context;
  if (signal.aborted && isLedgerFault(signal.reason)) return signal.reason;
  if (signal.aborted) return cancelOf(context) ?? new CodedError('FF_RUN_INTERRUPTED', interrupted);
  const coded = toCodedError(error);
  if (coded.code === 'FF_BUG') context.log.error({ run, err: error }, 'A run failed with an unexpected error.');
  return coded;
}
