import { toCodedError } from '../../core/errors.ts';
import { zeroCounts } from '../../core/run.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import type { RunContext } from '../context/run-context.ts';
import { type Hold, judgePlan } from './guards.ts';
import { type StagedPlan, stagePlan } from './stage-plan.ts';

/**
 * Reads the feed and stages the plan of a run; what was read is kept in the run, also where the feed is refused.
 * @throws CodedError FF_FEED_… where it cannot be read
 */
export async function readAndStage(run: string, reading: SourceReading, context: RunContext): Promise<StagedPlan> {
  const { ledger, sync } = context;
  try {
    const staged = await stagePlan(run, reading, context);
    const plan = staged.counts.read > 0 ? staged : doubted(staged, await ledger.staging.countDelivered(sync.name));
    await ledger.runs.record(run, { ...plan, fingerprint: context.fingerprint });
    return plan;
  } catch (error) {
    throw await refused(run, reading, error, context);
  }
}

/**
 * Opens the feed; `unmodified` where it is as it was.
 * @throws CodedError FF_FEED_…
 */
export async function openReading(
  run: string,
  reading: SourceReading,
  context: RunContext,
): Promise<'modified' | 'unmodified'> {
  try {
    return await reading.open();
  } catch (error) {
    throw await refused(run, reading, error, context);
  }
}

/** The reason to hold a plan back from the CMS, if there is one. */
export async function judge(plan: StagedPlan, { ledger, sync }: RunContext): Promise<Hold | undefined> {
  const deliveredBefore = await ledger.staging.countDelivered(sync.name);
  const { counts, churn, missing } = plan;
  return judgePlan({ sync: sync.name, rule: sync.missing, read: counts.read, deliveredBefore, churn, missing });
}

/** A feed that is suddenly empty is no proof that everything is gone. */
function doubted({ provesAbsence, ...staged }: StagedPlan, deliveredBefore: number): StagedPlan {
  if (deliveredBefore === 0 || !staged.receipt.complete)
    return { ...staged, ...(provesAbsence ? { provesAbsence } : {}) };
  const reason = `it has no records, but ${deliveredBefore} were delivered before`;
  return {
    ...staged,
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
