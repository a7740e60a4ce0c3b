import { CodedError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Cancel } from '../../ledger/runs/cancel-run.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Cancels a run, whichever processes lead and deliver it: requests in flight end, and no other begins. What was not sent stays wanted:
 * the next run or a retry delivers it.
 * @returns the run, which may need some seconds to end
 * @throws CodedError FF_RUN_UNKNOWN, FF_NOTHING_TO_DO if the run is not in progress
 */
export async function cancelRun(run: string, cancel: Cancel, { runs }: Ledger): Promise<PastRun> {
  const { sync } = await runs.get(run);
  if (await runs.cancel(run, cancel)) return runs.get(run);
  throw new CodedError('FF_NOTHING_TO_DO', `Run ${run} of "${sync}" is not in progress: there is nothing to cancel.`);
}

const LOOK_MS = 1_000;
const END_LOOK_MS = 100;

/** Aborts a signal as soon as a person cancels a run, in whichever process, or when the signal of the context is aborted. */
export function watchCancel(run: string, { ledger, log, runtime, signal }: RunContext) {
  const cancelling = new AbortController();
  const timer = runtime.every(LOOK_MS, () => {
    look().catch((error: unknown) => log.warn({ run, err: error }, 'Could not see whether the run was cancelled.'));
  });
  const abort = (reason: CodedError): void => cancelling.abort(reason);
  return { signal: AbortSignal.any([signal, cancelling.signal]), look, abort, cancel: timer.cancel };

  /** Throws nothing; the signal has the reason. */
  async function look(): Promise<void> {
    const { cancelled } = (await ledger.runs.state(run)) ?? {};
    if (cancelled !== undefined) abort(new CodedError('FF_RUN_CANCELLED', cancelled));
  }
}

/** Returns the error with which a person has cancelled a run; undefined if the signal was aborted for another reason, or was not. */
export function cancelOf({ signal }: Pick<RunContext, 'signal'>): CodedError | undefined {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  return reason instanceof CodedError && reason.code === 'FF_RUN_CANCELLED' ? reason : undefined;
}

/** Ends a cancelled run as soon as its requests in flight have ended, also those of other processes. */
export async function endCancelled(run: string, { ledger, runtime }: RunContext): Promise<void> {
  while (!(await ledger.runs.endCancelled(run))) await runtime.sleep(END_LOOK_MS);
}
