import type { DayRange } from '../../core/dates/iso-date.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';
import { leaveOtherSources } from '../merge/leave-sources.ts';
import { readMerged } from '../merge/merged-reading.ts';
import { judgePlan } from '../plan/guards.ts';
import { readAndStage } from '../plan/read-and-stage.ts';
import { applyConsulted, holdRun } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';
import { refusePaused } from './pause-sync.ts';

/**
 * Imports the records of some days, whatever the window of the sync. Counts no record as missing. If it breaks off, the next backfill
 * of these days delivers the rest. Errors are in the report, not thrown.
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way, FF_SYNC_PAUSED
 */
export async function backfillRun(days: DayRange, request: RunContext): Promise<RunReport> {
  await refusePaused(request);
  const sync = { ...request.sync, missing: { policy: 'keep' as const } };
  return leadRun('backfill', { ...request, sync, background: true }, async (run, context) => {
    const { ledger, signal } = context;
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    const left = await leaveOtherSources(run, context);
    const reading = sync.sources ? readMerged(run, context, days) : context.readSource({ signal, window: days });
    reading.warnings.push(...left);
    const plan = await readAndStage(run, reading, context);
    // An empty feed loses nothing, and nobody has set limits for other days.
    const hold = judgePlan({ ...plan, deliveredBefore: 0, measures: [] }, sync);
    if (hold) return holdRun(run, { error: hold.error }, context);
    signal.throwIfAborted();
    const prepare = async () => {
      if (sync.sources) await ledger.members.noteCovered(run, sync.name);
    };
    await applyConsulted(run, plan, context, { prepare, cannotBeApproved: true });
  });
}
