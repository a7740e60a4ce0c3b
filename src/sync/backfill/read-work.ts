import { CodedError, toCodedError } from '../../core/errors.ts';
import type { OpenBackfill } from '../../ledger/backfills.ts';
import { judgePlan } from '../guard.ts';
import { makePlan } from '../make-plan.ts';
import type { RunContext } from '../run-context.ts';
import { checkDestination } from '../same-destination.ts';

/**
 * Reads the feed and keeps as work what is not in the CMS as it should be; other runs of the sync may be under way meanwhile.
 * Where that is not possible, the backfill ends here, and its `total` stays unknown.
 */
export async function readWork(backfill: OpenBackfill, context: RunContext): Promise<void> {
  const { ledger, sync, signal } = context;
  const { run, from, to } = backfill;
  try {
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    await checkDestination(context);
    const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const plan = await makePlan(run, context.readSource({ signal, window }), context);
    const hold = judgePlan({ sync: sync.name, read: plan.counts.read, deliveredBefore: 0, churn: plan.churn });
    if (hold) await ledger.backfills.finish(backfill, { status: 'held', code: hold.code, message: hold.message });
    else backfill.total = await ledger.backfillWork.keep(backfill, plan.counts);
  } catch (error) {
    const coded = signal.aborted
      ? new CodedError('FF_RUN_INTERRUPTED', 'The backfill was interrupted while it read the feed.')
      : toCodedError(error);
    if (coded.code === 'FF_BUG')
      context.log.error({ run, err: error }, 'A backfill failed for a reason that nobody foresaw.');
    await ledger.backfills.finish(backfill, { status: 'failed', code: coded.code, message: coded.message });
  }
}
