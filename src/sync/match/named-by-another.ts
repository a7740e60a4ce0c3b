import type { DeliveryContext } from '../context/delivery-context.ts';
import { keyOn } from '../items/external-id.ts';
import type { ItemIndex } from '../search/item-traits.ts';

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

/** Leaves out items that show the external id of another record, which may begin the one of this record or have been its own. */
export async function withoutNamed(
  record: { key: string },
  ids: readonly number[],
  indexes: readonly ItemIndex[],
  context: Pick<DeliveryContext, 'sync' | 'ledger'>,
): Promise<number[]> {
  const shown = (id: number) => indexes.map(({ sightings }) => sightings.get(id)?.externalId).find(Boolean);
  const named = await Promise.all(ids.map((id) => isNamedByAnother(record, shown(id), context)));
  return ids.filter((_, at) => !named[at]);
}
