import type { DeliveryContext } from '../context/delivery-context.ts';
import { keyOn } from '../items/external-id.ts';

/**
 * Whether an external id that is nearly the one of a record is exactly the one of another record of the sync: "u1" and "u10",
 * "a7" and "A7".
 * @param shown what the item shows
 */
export async function isNamedByAnother(
  { key }: { key: string },
  shown: string | undefined,
  { sync, ledger }: Pick<DeliveryContext, 'sync' | 'ledger'>,
): Promise<boolean> {
  const named = keyOn({ shown }, sync, 'shown');
  if (named === undefined || named === key) return false;
  return (await ledger.plans.unknownKeys(sync.name, [named])).length === 0;
}
