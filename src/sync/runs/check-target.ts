import { CodedError } from '../../core/errors.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * What the ledger has of a sync is about items of one place. With another one, their ids would be those of other items, or
 * of none, and look as though all had been deleted.
 * @throws CodedError FF_DESTINATION_CHANGED
 */
export async function checkTarget({ ledger, sync, targetId, formerTargetId }: RunContext): Promise<void> {
  const known = await ledger.runs.lastTarget(sync.name);
  if (known === undefined || known === targetId || known === formerTargetId) return;
  const delivered = await ledger.staging.countDelivered(sync.name);
  if (delivered === 0) return;
  const message = `The ${delivered} records of "${sync.name}" that the ledger knows are in another site or calendar.`;
  throw new CodedError('FF_DESTINATION_CHANGED', message);
}
