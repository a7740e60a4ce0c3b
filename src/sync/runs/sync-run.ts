import type { DayRange } from '../../core/dates/iso-date.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';
import { leaveOtherSources } from '../merge/leave-sources.ts';
import { readMerged } from '../merge/merged-reading.ts';
import { coveredRecords } from '../plan/coverage.ts';
import { judgePlan } from '../plan/guards.ts';
import { openReading, readAndStage } from '../plan/read-and-stage.ts';
import { foldReading } from '../spans/fold-reading.ts';
import { applyConsulted, askIfDue, holdPlan } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';
import { refusePaused } from './pause-sync.ts';

/**
 * Runs one sync: reads the feed, stages a plan, judges it, applies it, and waits until every record is settled. Errors are
 * in the report, not thrown.
 * @param days of a backfill: imports their records, whatever the window of the sync, and counts none as missing
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way, FF_SYNC_PAUSED
 */
export async function syncRun(request: RunContext, days?: DayRange): Promise<RunReport> {
  await refusePaused(request);
  const isBackfill = days !== undefined;
  const keeping = { ...request, sync: { ...request.sync, missing: { policy: 'keep' as const } }, background: true };
  return leadRun(isBackfill ? 'backfill' : 'run', isBackfill ? keeping : request, async (run, context) => {
    const { ledger, sync, signal } = context;
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    const left = await leaveOtherSources(run, context);
    // Each of several sources is judged by itself.
    const last = sync.sources || sync.recurrence || isBackfill ? undefined : await lastRead(context);
    const asked = isBackfill ? { window: days } : { validators: last?.validators, includesWithdrawn: true };
    const reading = sync.sources
      ? readMerged(run, context, days)
      : foldReading(context.readSource({ signal, ...asked }), context, { isPart: isBackfill });
    if (last && (await openReading(run, reading, context)) === 'unmodified') {
      await askIfDue(context);
      await ledger.runs.repeat(run, last.run, { durationMs: reading.receipt().durationMs });
      return ledger.runs.finish(run);
    }
    reading.warnings.push(...left);
    const plan = await readAndStage(run, reading, context);
    // An empty backfill loses nothing, and nobody has set limits for other days.
    const hold = judgePlan(isBackfill ? { ...plan, deliveredBefore: 0, measures: [] } : plan, sync);
    if (hold) return holdPlan(run, isBackfill ? { error: hold.error } : hold, plan, context);
    signal.throwIfAborted();
    const provesAbsence = isBackfill ? undefined : plan.provesAbsence;
    await applyConsulted(run, plan, context, { provesAbsence, cannotBeApproved: isBackfill });
  });
}

/** What the last run read, if an unchanged feed means that nothing changes: no missing record may have become due for removal. */
async function lastRead(context: RunContext) {
  const { ledger, sync, fingerprint } = context;
  const { policy } = sync.missing;
  if (policy !== 'keep') {
    const covered = await coveredRecords(context);
    if (await ledger.plans.hasMissing(sync.name, covered, policy === 'delete' ? 'delete' : 'mark')) return undefined;
  }
  return ledger.runs.lastRead(sync.name, fingerprint);
}
