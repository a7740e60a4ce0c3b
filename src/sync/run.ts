import { setTimeout as sleep } from 'node:timers/promises';
import type { CmsClient } from '../cms/client.ts';
import { CodedError, toCodedError } from '../core/errors.ts';
import type { DeliveryJob, DeliveryQueue } from '../core/queue.ts';
import { type RunReport, zeroCounts } from '../core/run.ts';
import type { StagedChange } from '../ledger/staging.ts';
import { adoptExisting } from './adopt.ts';
import type { DeliveryContext } from './context.ts';
import { type Cost, costOf } from './cost.ts';
import { type Difference, differencesOf } from './difference.ts';
import { judgePlan } from './guard.ts';
import type { FeedValidators, SourceReading } from './source.ts';
import { type StagedPlan, stagePlan } from './stage.ts';

const HEARTBEAT_MS = 8_000;
const LONGEST_BATCH = 50;
const FIRST_LOOK_MS = 20;
const LOOK_MS = 500;
/** Records that nobody has touched for so long are queued again: Redis may have lost their jobs. */
const REQUEUE_MS = 15_000;

/** What a run needs besides the delivery itself. */
export interface RunContext extends DeliveryContext {
  queue: DeliveryQueue;
  /** Asks even a CMS that is paused or stopped, to find out whether it is well again. */
  checks: CmsClient;
  readSource(options: { signal: AbortSignal; validators?: FeedValidators }): SourceReading;
  /** Hash of all that decides what is planned, besides the feed itself. */
  fingerprint: string;
  signal: AbortSignal;
  /** Lets this process finish what it has in flight and take no more. */
  quiesce(): Promise<void>;
  onProgress?: (progress: RunProgress) => void;
}

export type RunProgress =
  | { phase: 'reading'; sync: string }
  | { phase: 'delivering'; sync: string; settled: number; total: number };

export interface PlanReport extends RunReport {
  creates: number;
  updates: number;
  changes: PlannedChange[];
  cost: Cost;
}

/** One change of a plan, as it is shown. */
export interface PlannedChange
  extends Pick<StagedChange, 'key' | 'op' | 'at' | 'resource' | 'payload' | 'changed' | 'adopts'> {
  differences: Difference[];
}

/** Plans one sync and tells the plan; the CMS is only read, and only where the sync adopts. Errors end up in the report. */
export async function planSync(context: RunContext): Promise<PlanReport> {
  const { ledger, sync } = context;
  const run = await ledger.runs.begin(sync.name, 'planned');
  let changes: StagedChange[] = [];
  let held: RunReport['problems'] = [];
  let staged: StagedPlan | undefined;
  try {
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    staged = await stage(run, context.readSource({ signal: context.signal }), context);
    const hold = await judge(staged, context);
    if (hold) await end(run, 'held', hold, context);
    else staged = await adopt(run, staged, context);
    held = await ledger.adoptions.held(run);
    changes = await ledger.staging.changes(run, sync.name);
  } catch (error) {
    await end(run, 'failed', error, context);
  } finally {
    await ledger.staging.discard(run);
  }
  return {
    ...(await ledger.runs.report(run)),
    problems: held,
    creates: staged?.creates ?? 0,
    updates: staged?.updates ?? 0,
    changes: changes.map(toPlanned),
    cost: costOf(changes, sync),
  };
}

function toPlanned(change: StagedChange): PlannedChange {
  const { attachments, delivered, ...shown } = change;
  return { ...shown, differences: differencesOf(change) };
}

/**
 * Runs one sync: reads, plans, lets the guards judge, applies, and waits until every record is settled. What goes wrong
 * is in the report, not thrown.
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function runSync(context: RunContext): Promise<RunReport> {
  const { ledger, sync } = context;
  const run = await ledger.runs.begin(sync.name, 'running');
  const heart = setInterval(() => {
    ledger.runs
      .heartbeat(run)
      .catch((error: unknown) => context.log.warn({ err: error }, 'A heartbeat was not written.'));
  }, HEARTBEAT_MS);
  try {
    await carryOut(run, context);
  } catch (error) {
    await end(run, 'failed', error, context);
  } finally {
    clearInterval(heart);
    await ledger.staging.discard(run);
  }
  return ledger.runs.report(run);
}

async function carryOut(run: string, context: RunContext): Promise<void> {
  const { ledger, sync } = context;
  await ledger.claims.releaseGone(sync.name, context.target.lookupAfterMs);
  context.onProgress?.({ phase: 'reading', sync: sync.name });
  const last = await ledger.feeds.lastRead(sync.name, context.fingerprint);
  const reading = context.readSource({ signal: context.signal, ...(last ? { validators: last.validators } : {}) });
  if (last && (await opened(run, reading, context)) === 'unmodified') {
    await ledger.feeds.repeat(run, last.run, { durationMs: reading.receipt().durationMs });
    await ledger.runs.finish(run);
    return;
  }
  const staged = await stage(run, reading, context);
  await ledger.feeds.remember(run, context.fingerprint);
  const hold = await judge(staged, context);
  if (hold) return end(run, 'held', hold, context);
  context.signal.throwIfAborted();
  try {
    if (staged.creates + staged.updates > 0) await checkCms(context);
    await adopt(run, staged, context);
  } catch (error) {
    await keepCounts(
      run,
      { ...staged, counts: { ...staged.counts, failed: staged.creates + staged.updates } },
      context,
    );
    throw error;
  }
  const keys = await ledger.staging.apply(run, sync.name);
  if (keys.length === 0) {
    await ledger.runs.finish(run);
    return;
  }
  await context.queue.add(toJobs(run, keys, context));
  await waitUntilSettled(run, keys, context);
}

async function opened(run: string, reading: SourceReading, context: RunContext): Promise<'modified' | 'unmodified'> {
  try {
    return await reading.open();
  } catch (error) {
    throw await refused(run, reading, error, context);
  }
}

async function stage(run: string, reading: SourceReading, context: RunContext): Promise<StagedPlan> {
  const { ledger, sync } = context;
  try {
    const staged = await stagePlan(run, sync, reading, context);
    const plan = staged.counts.read > 0 ? staged : doubted(staged, await ledger.staging.countDelivered(sync.name));
    await keepCounts(run, plan, context);
    return plan;
  } catch (error) {
    throw await refused(run, reading, error, context);
  }
}

/** Where new records may be items that the CMS has already, the plan becomes one that knows them. */
async function adopt(run: string, staged: StagedPlan, context: RunContext): Promise<StagedPlan> {
  if (staged.creates === 0) return staged;
  await adoptExisting(run, context);
  const { create, update } = await context.ledger.staging.countByOp(run);
  return { ...staged, creates: create, updates: update };
}

/** A feed that is suddenly empty is no proof that everything is gone. */
function doubted(staged: StagedPlan, deliveredBefore: number): StagedPlan {
  if (deliveredBefore === 0 || !staged.receipt.complete) return staged;
  const reason = `it has no records, but ${deliveredBefore} were delivered before`;
  return {
    ...staged,
    counts: { ...staged.counts, missing: 0 },
    receipt: { ...staged.receipt, complete: false, reason },
  };
}

/** What was read of a refused feed is told, too. */
async function refused(run: string, reading: SourceReading, error: unknown, { ledger }: RunContext): Promise<unknown> {
  const receipt = reading.receipt();
  const reason = receipt.reason ?? toCodedError(error).message;
  await ledger.runs.record(run, {
    counts: zeroCounts(),
    receipt: { ...receipt, complete: false, reason },
    warnings: reading.warnings,
  });
  return error;
}

async function keepCounts(
  run: string,
  { counts, receipt, warnings }: StagedPlan,
  { ledger }: RunContext,
): Promise<void> {
  await ledger.runs.record(run, { counts, receipt, warnings });
}

async function judge(staged: StagedPlan, { ledger, sync }: RunContext): Promise<CodedError | undefined> {
  const deliveredBefore = await ledger.staging.countDelivered(sync.name);
  return judgePlan({ sync: sync.name, read: staged.counts.read, deliveredBefore, churn: staged.churn });
}

/** One read before the first write: a wrong token or address is told at once, not once for every record. */
async function checkCms({ checks, sync, signal }: RunContext): Promise<void> {
  if (sync.resource === 'accounts') await checks.accounts().page({ limit: 1 }, { signal });
  else await checks.events(sync.instance).page({ limit: 1 }, { signal });
}

/** Batches of tens, but small enough that every free place has some. */
function toJobs(run: string, keys: readonly string[], { sync, queue }: RunContext): DeliveryJob[] {
  const size = Math.min(LONGEST_BATCH, Math.max(1, Math.ceil(keys.length / (queue.concurrency * 4))));
  const jobs: DeliveryJob[] = [];
  for (let start = 0; start < keys.length; start += size) {
    jobs.push({ run, sync: sync.name, keys: keys.slice(start, start + size) });
  }
  return jobs;
}

/** Looks at the ledger, not at the queue: any worker may settle the last record, and Redis may forget. */
async function waitUntilSettled(run: string, keys: readonly string[], context: RunContext): Promise<void> {
  const { ledger, queue, sync, signal, onProgress } = context;
  let last = -1;
  let lastChange = Date.now();
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(LOOK_MS, lookMs * 1.5)) {
    const running = await ledger.runs.isRunning(run);
    const { settled, pending } = await ledger.runs.progress(run);
    onProgress?.({ phase: 'delivering', sync: sync.name, settled, total: settled + pending });
    if (!running) return;
    if (pending === 0) {
      await ledger.runs.finish(run);
      return;
    }
    if (settled !== last) [last, lastChange] = [settled, Date.now()];
    else if (queue.engine === 'bullmq' && Date.now() - lastChange > REQUEUE_MS) {
      lastChange = Date.now();
      await queue.add(toJobs(run, keys, context));
    }
    await sleep(lookMs, undefined, { signal });
  }
}

async function end(run: string, status: 'failed' | 'held', error: unknown, context: RunContext): Promise<void> {
  const { ledger, signal, log } = context;
  if (signal.aborted) await context.quiesce();
  const coded = signal.aborted
    ? new CodedError('FF_RUN_INTERRUPTED', 'The run was interrupted by a signal.')
    : toCodedError(error);
  if (coded.code === 'FF_BUG') log.error({ err: error }, 'A run failed for a reason that nobody foresaw.');
  await ledger.runs.finish(run, { status, code: coded.code, message: coded.message });
}
