import type { CmsItem } from '../../cms/client.ts';
import type { Resource } from '../../core/record.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { createItemIndex } from '../identity/identity.ts';
import { sightingOf } from '../identity/sighting.ts';

/** A reading of a list of the CMS: its items, as far as they identify records. */
export type ItemIndex = Awaited<ReturnType<typeof indexItems>>;

/**
 * Reads all items.
 * @param items returns how many the CMS counts, if it does
 * @param externalId layout key of the attribute that carries external ids, if there is one
 */
export async function indexItems(
  items: AsyncGenerator<CmsItem, number | undefined, undefined>,
  resource: Resource,
  { externalId, monotonic }: { externalId?: string } & Pick<Clock, 'monotonic'>,
) {
  const beganAt = monotonic();
  const { sightings, add, idsOf } = createItemIndex();
  for (;;) {
    const { done, value } = await items.next();
    if (done) return { beganAt, idsOf, sightings, counted: value ?? sightings.size };
    add(value.id, sightingOf(value, resource, externalId));
  }
}
