import { CodedError } from '../../core/errors.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Makes sure that the records of a sync are in its target. In another one their ids are those of other items, or of none,
 * as if all items had been deleted.
 * @throws CodedError FF_DESTINATION_CHANGED
 */
export async function checkTarget(context: RunContext): Promise<void> {
  const { ledger, sync } = context;
  const delivered = await ledger.runs.countElsewhere(sync.name, context);
  if (delivered === 0) return;
  const message = `The ledger has ${delivered} records of "${sync.name}" in another site or calendar.`;
  throw new CodedError('FF_DESTINATION_CHANGED', message);
}
