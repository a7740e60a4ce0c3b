import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';
import { leaveOtherSources } from '../merge/leave-sources.ts';
import { readMerged } from '../merge/merged-reading.ts';
import { judgePlan } from '../plan/guards.ts';
import { coveredRecords } from '../plan/missing-records.ts';
import { openReading, readAndStage } from '../plan/read-and-stage.ts';
import { applyConsulted, askIfDue, holdRun } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';
import { refusePaused } from './pause-sync.ts';

/**
 * Runs one sync: reads the feed, stages a plan, judges it, applies it, and waits until every record is settled. Errors are
 * in the report, not thrown.
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way, FF_SYNC_PAUSED
 */
export async function syncRun(request: RunContext): Promise<RunReport> {
  const { ledger, sync } = request;
  await refusePaused(request);
  return leadRun('run', request, async (run, context) => {
    const { signal } = context;
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    const left = await leaveOtherSources(run, context);
    // Each of several sources is judged by itself.
    const last = sync.sources ? undefined : await lastRead(context);
    const reading = sync.sources
      ? readMerged(run, context)
      : context.readSource({ signal, validators: last?.validators, includesWithdrawn: true });
    if (last && (await openReading(run, reading, context)) === 'unmodified') {
      await askIfDue(context);
      await ledger.runs.repeat(run, last.run, { durationMs: reading.receipt().durationMs });
      return ledger.runs.finish(run);
    }
    reading.warnings.push(...left);
    const plan = await readAndStage(run, reading, context);
    const hold = judgePlan(plan, sync);
    if (hold) return holdRun(run, hold, context);
    signal.throwIfAborted();
    const prepare = async () => {
      if (sync.sources) await ledger.members.noteCovered(run, sync.name);
    };
    await applyConsulted(run, plan, context, { provesAbsence: plan.provesAbsence, prepare });
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
