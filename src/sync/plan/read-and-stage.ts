import { toCodedError } from '../../core/errors.ts';
import { zeroCounts } from '../../core/run.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import type { RunContext } from '../context/run-context.ts';
import { type StagedPlan, stagePlan } from './stage-plan.ts';

/** A staged plan, and how many records were delivered before if the feed has none now. */
type ReadPlan = StagedPlan & { deliveredBefore: number };

/**
 * Reads the feed and stages the plan of a run. The run keeps what was read, even if the feed is refused.
 * @throws CodedError FF_FEED_… if it cannot be read
 */
export async function readAndStage(run: string, reading: SourceReading, context: RunContext): Promise<ReadPlan> {
  const { ledger, sync, fingerprint } = context;
  try {
    const staged = await stagePlan(run, reading, context);
    const deliveredBefore = staged.counts.read > 0 ? 0 : await ledger.plans.countDelivered(sync.name);
    const plan = deliveredBefore > 0 ? incomplete(staged, deliveredBefore) : staged;
    await ledger.runs.record(run, { ...plan, fingerprint });
    return { ...plan, deliveredBefore };
  } catch (error) {
    throw await refused(run, reading, error, context);
  }
}

/**
 * Opens the feed; `unmodified` if it has not changed.
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

/** A feed that is suddenly empty does not prove that everything is missing. */
function incomplete({ provesAbsence, ...staged }: StagedPlan, deliveredBefore: number): StagedPlan {
  const { receipt } = staged;
  const reason = `the feed has no records, but ${deliveredBefore} were delivered before`;
  return { ...staged, receipt: receipt.complete ? { ...receipt, complete: false, reason } : receipt };
}

/** Records what was read of a refused feed. */
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
