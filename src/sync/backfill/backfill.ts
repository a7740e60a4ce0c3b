import { CmsError } from '../../cms/errors.ts';
import type { DayRange } from '../../core/dates/iso-date.ts';
import { CodedError } from '../../core/errors.ts';
import { leavesUnsent, type RunReport, withRest } from '../../core/run.ts';
import type { OpenBackfill } from '../../ledger/backfills/backfills.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import type { RunContext } from '../context/run-context.ts';
import { matchExisting } from '../match/adopt-existing.ts';
import { itemsOfEditors, sortAlike } from '../match/settle-alike.ts';
import { hasSourcesToLeave, leaveOtherSources } from '../merge/leave-sources.ts';
import { readMerged } from '../merge/merged-reading.ts';
import { type Hold, judgeCreates, judgePlan } from '../plan/guards.ts';
import { readAndStage } from '../plan/read-and-stage.ts';
import { newestItems } from '../runs/consult-cms.ts';
import { checkTarget, reasonToEnd, startHeartbeat, takeOverRenamed } from '../runs/lead-run.ts';
import { refusePaused } from '../runs/pause-sync.ts';
import { watchCancel } from '../runs/watch-cancel.ts';
import { leadSlice, runSlices } from './run-slices.ts';

export type BackfillOptions = DayRange & { restart?: boolean };

const INTERRUPTED_READING = 'The backfill was interrupted while it read the feed.';

/**
 * Imports the records of some days: reads the feed once into a list of work in the ledger, and processes that list in slices,
 * each a small run of its own, so that other runs of the sync get their turns. An interrupted backfill is resumed by the next
 * call. A backfill never counts records as missing. Errors are in the report, not thrown.
 * @param options `restart` discards an unfinished backfill
 * @throws CodedError FF_BACKFILL_OPEN if a backfill of other days is unfinished, FF_RUN_BUSY while another process works on it,
 *   FF_SYNC_PAUSED
 */
export async function backfillSync(options: BackfillOptions, request: RunContext): Promise<RunReport> {
  const { backfills, history, runs } = request.ledger;
  await refusePaused(request);
  await takeOverRenamed(request);
  const backfill = await openBackfill(options, request);
  // One that is resumed keeps who began it.
  if (request.asked) await history.addDeed({ ...request.asked, sync: backfill.sync, run: backfill.run });
  request.onBegin?.(backfill.run);
  const watch = watchCancel(backfill.run, request);
  const context = { ...request, signal: watch.signal };
  let since = context.runtime.monotonic();
  const heartbeat = startHeartbeat(backfill.run, renew, context);
  let failure: { error: unknown } | undefined;
  try {
    if (backfill.total === undefined) await read(backfill, context);
    if (backfill.total !== undefined) await runSlices(backfill, context);
  } catch (error) {
    failure = { error };
  }
  heartbeat.cancel();
  watch.cancel();
  await renew();
  if (failure) return reportStop(backfill, failure.error, context);
  if (backfill.total !== undefined) await backfills.finish(backfill);
  return { ...(await runs.report(backfill.run)), durationMs: backfill.workedMs };

  function renew(): Promise<void> {
    const workedMs = context.runtime.monotonic() - since;
    since += workedMs;
    backfill.workedMs += Math.round(workedMs);
    return backfills.renew(backfill, workedMs);
  }
}

/** The unfinished backfill, if it has the wanted days; otherwise a new one. */
async function openBackfill({ restart = false, ...days }: BackfillOptions, context: RunContext): Promise<OpenBackfill> {
  const { backfills } = context.ledger;
  const { name } = context.sync;
  const open = await backfills.find(name);
  if (!open) return backfills.begin(name, days);
  const isAny = days.from === undefined && days.to === undefined;
  const isWanted = isAny || (days.from === open.from && days.to === open.to);
  if (!restart && !isWanted) {
    const { from = 'the beginning', to = 'the end' } = open;
    const message = `A backfill of "${name}" from ${from} to ${to} is unfinished: ${await progressOf(open, context)}`;
    throw new CodedError('FF_BACKFILL_OPEN', message);
  }
  await backfills.takeOver(open);
  await context.ledger.runs.clearCancel(open.run);
  if (!restart && open.total !== undefined) return open;
  const message = restart ? 'The backfill was discarded for another one.' : INTERRUPTED_READING;
  await backfills.finish(open, { status: 'failed', code: 'FF_RUN_INTERRUPTED', message });
  return backfills.begin(name, restart ? days : open);
}

async function progressOf(backfill: OpenBackfill, { ledger }: RunContext): Promise<string> {
  const { total = 0 } = backfill;
  return `${total - (await ledger.backfills.countLeft(backfill))} of ${total} records are done.`;
}

/** Several sources write their members at once, so no other run of the sync may read them meanwhile. */
async function read(backfill: OpenBackfill, context: RunContext): Promise<void> {
  if (!context.sync.sources && !(await hasSourcesToLeave(context))) return readWork(backfill, context);
  return leadSlice(backfill, context, async (slice, led) => {
    await leaveOtherSources(slice, led);
    await readWork(backfill, { ...led, onProgress: context.onProgress });
    await led.ledger.runs.finish(slice);
  });
}

/**
 * Reads the feed and stores as work the records that the CMS does not have as desired; unless the sync has several sources, other runs
 * of it may be under way meanwhile. If the feed is refused or held, the backfill ends here, and its `total` stays unknown.
 */
async function readWork(backfill: OpenBackfill, context: RunContext): Promise<void> {
  const { ledger, sync, signal } = context;
  const { run, from, to } = backfill;
  try {
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    await checkTarget(context);
    // A backfill never counts records as missing.
    const reading: RunContext = { ...context, sync: { ...sync, missing: { policy: 'keep' } } };
    const days = { from, to };
    const source = sync.sources ? readMerged(run, reading, days) : context.readSource({ signal, window: days });
    const plan = await readAndStage(run, source, reading);
    // A backfill reads other days than a run, and cannot be approved.
    const hold =
      judgePlan({ ...plan, deliveredBefore: 0, measures: [] }, reading.sync) ?? (await searchCms(run, plan, context));
    if (!hold) backfill.total = await ledger.backfills.keepWork(backfill, { ...plan.counts, missing: 0 });
    else {
      const { code, message } = hold.error;
      await ledger.backfills.finish(backfill, { status: 'held', code, message });
    }
  } catch (error) {
    const { code, message } = reasonToEnd(run, error, INTERRUPTED_READING, context);
    await ledger.backfills.finish(backfill, { status: 'failed', code, message });
  }
}

/** Searches the CMS for the new records. If the CMS does not respond now, each slice looks for its own records later. */
async function searchCms(run: string, { creates }: PlanTotals, context: RunContext): Promise<Hold | undefined> {
  if (creates === 0 || context.sync.adopt) return undefined;
  try {
    const { alike, isFirst, ...matches } = await matchExisting(run, await newestItems(context), context);
    const duplicates = isFirst ? itemsOfEditors((await sortAlike(alike, context)).open) : [];
    return judgeCreates({ ...matches, duplicates }, context.sync);
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
}

/** The report of a backfill that stopped early and stays unfinished. */
async function reportStop(backfill: OpenBackfill, stop: unknown, context: RunContext): Promise<RunReport> {
  const { ledger, signal, stopWork } = context;
  const { run, sync } = backfill;
  if (signal.aborted) await stopWork();
  const reason = reasonToEnd(run, stop, 'The backfill was interrupted by a signal.', context);
  const { code, remedy } = reason;
  const progress = await progressOf(backfill, context);
  const message = `${reason.message} ${progress} To continue: \`feedferry backfill ${sync}\`.`;
  await ledger.backfills.putDown(backfill);
  const report = await ledger.runs.report(run);
  const counts = withRest(report.counts, leavesUnsent(code) ? 'notSent' : 'failed');
  return { ...report, status: 'failed', counts, durationMs: backfill.workedMs, error: { code, message, remedy } };
}
