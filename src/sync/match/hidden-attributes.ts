import type { DeliveryContext } from '../context/delivery-context.ts';
import type { Sighting } from '../identity/sighting.ts';
import { externalIdOn } from '../items/external-id.ts';
import type { ItemIndex } from '../search/item-traits.ts';

type HiddenContext = Pick<DeliveryContext, 'target' | 'ledger'>;

/**
 * Returns the items of a reading that may be a record although the lists do not show it, the newest first: no item of the reading
 * shows an attribute by which the record is recognised. What a list does not show proves nothing.
 * @param looks what the item of the record may show
 * @throws CmsError
 */
export async function hiddenItems(
  { resource }: { resource: 'events' | 'accounts' },
  indexes: readonly ItemIndex[],
  looks: readonly Sighting[],
  context: HiddenContext,
): Promise<number[]> {
  const sightings = new Map(indexes.flatMap((index) => [...index.sightings]));
  const shown = [...sightings.values()];
  if (shown.some(({ externalId }) => externalId !== undefined)) return [];
  if (!hidesNames(shown, looks) && !(await hidesExternalIds([...sightings.keys()]))) return [];
  return [...sightings.keys()].sort((one, other) => other - one);

  /** Whether the lists do not show the external id of an item that was delivered with one. */
  async function hidesExternalIds(ids: readonly number[]): Promise<boolean> {
    const { externalId } = context.target;
    if (externalId === undefined) return false;
    const delivered = await context.ledger.records.deliveredAs(resource, ids);
    return [...delivered.values()].some((payload) => externalIdOn(payload, externalId) !== undefined);
  }
}

/** Whether no item shows a title, e-mail address or user name that the record has. */
export function hidesNames(shown: readonly Sighting[], looks: readonly Sighting[]): boolean {
  const names = ['title', 'email', 'username'] as const;
  return names.some((name) => looks.some((look) => look[name]) && !shown.some((each) => each[name]));
}
