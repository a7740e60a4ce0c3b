import { CodedError, toCodedError } from '../../core/errors.ts';
import type { OpenBackfill } from '../../ledger/backfills/backfills.ts';
import type { RunContext } from '../context/run-context.ts';
import { judgePlan } from '../plan/guards.ts';
import { readAndStage } from '../plan/read-and-stage.ts';
import { checkTarget } from '../runs/check-target.ts';

/** A backfill proves nothing missing. */
const KEEP = { policy: 'keep' } as const;

/**
 * Reads the feed and keeps as work what is not in the CMS as it should be; other runs of the sync may be under way meanwhile.
 * Where that is not possible, the backfill ends here, and its `total` stays unknown.
 */
export async function readWork(backfill: OpenBackfill, context: RunContext): Promise<void> {
  const { ledger, sync, signal } = context;
  const { run, from, to } = backfill;
  try {
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    await checkTarget(context);
    const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const reading = { ...context, sync: { ...sync, missing: KEEP } };
    const plan = await readAndStage(run, context.readSource({ signal, window }), reading);
    const hold = judgePlan({ ...plan, deliveredBefore: 0 }, reading.sync);
    if (hold)
      await ledger.backfills.finish(backfill, { status: 'held', code: hold.error.code, message: hold.error.message });
    else backfill.total = await ledger.backfills.keepWork(backfill, { ...plan.counts, missing: 0 });
  } catch (error) {
    const coded = signal.aborted
      ? new CodedError('FF_RUN_INTERRUPTED', 'The backfill was interrupted while it read the feed.')
      : toCodedError(error);
    if (coded.code === 'FF_BUG') context.log.error({ run, err: error }, 'A backfill failed with an unexpected error.');
    await ledger.backfills.finish(backfill, { status: 'failed', code: coded.code, message: coded.message });
  }
}
