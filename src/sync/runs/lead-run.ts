import { CodedError, toCodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunWork } from '../../ledger/runs/run-kinds.ts';
import type { RunContext } from '../context/run-context.ts';
import { beginRun } from './begin-run.ts';
import { checkTarget } from './check-target.ts';

const HEARTBEATS = 4;

/**
 * Leads a run of a sync: begins it, renews its lease while it works, and makes sure that it ends. Errors of the work are
 * in the report, not thrown.
 * @param work ends the run itself, unless it throws
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function leadRun(
  kind: RunWork,
  context: RunContext,
  work: (run: string) => Promise<void>,
): Promise<RunReport> {
  const { ledger, sync, target, log } = context;
  const { run, isElsewhere } = await beginRun(kind, context);
  context.onBegin?.(run);
  const heart = setInterval(() => {
    ledger.runs
      .heartbeat(run)
      .catch((error: unknown) => log.warn({ run, err: error }, 'A heartbeat could not be written.'));
  }, ledger.takeOverAfterMs / HEARTBEATS);
  try {
    if (isElsewhere) await checkTarget(context);
    await ledger.records.releaseExited(sync.name, target.lookupAfterMs);
    await work(run);
  } catch (error) {
    await endRun(run, 'failed', error, context);
  } finally {
    clearInterval(heart);
    await ledger.plans.discard(run);
  }
  const report = await ledger.runs.report(run);
  await context.afterRun?.();
  return report;
}

/** Ends a run early. After a signal its error is FF_RUN_INTERRUPTED, whatever failed because of the signal. */
export async function endRun(
  run: string,
  status: 'failed' | 'held',
  error: unknown,
  { ledger, signal, log, stopWork }: RunContext,
): Promise<void> {
  if (signal.aborted) await stopWork();
  const coded = signal.aborted
    ? new CodedError('FF_RUN_INTERRUPTED', 'The run was interrupted by a signal.')
    : toCodedError(error);
  if (coded.code === 'FF_BUG') log.error({ run, err: error }, 'A run failed with an unexpected error.');
  await ledger.runs.finish(run, { status, code: coded.code, message: coded.message });
}
