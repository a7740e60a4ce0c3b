import { CodedError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Cancel } from '../../ledger/runs/cancel-run.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';

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
