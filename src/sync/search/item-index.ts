import type { CmsItem } from '../../cms/client.ts';
import type { Resource } from '../../core/record.ts';
import { externalIdOn } from '../items/external-id.ts';
import { itemTraits, type Trait } from './item-traits.ts';

/** The ids of items of the CMS, by the traits of the items. */
export type ItemIndex = Awaited<ReturnType<typeof indexItems>>;

/**
 * Reads all items.
 * @param externalId layout key of the attribute that carries external ids, if there is one
 */
export async function indexItems(
  items: AsyncIterable<CmsItem> | Iterable<CmsItem>,
  resource: Resource,
  externalId: string | undefined,
) {
  const idsByTrait = new Map<Trait, number[]>();
  let size = 0;
  let showsExternalIds = false;
  for await (const item of items) {
    size += 1;
    showsExternalIds ||= externalIdOn(item, externalId) !== undefined;
    for (const trait of itemTraits(resource, item, externalId)) {
      const ids = idsByTrait.get(trait);
      if (ids) ids.push(item.id);
      else idsByTrait.set(trait, [item.id]);
    }
  }
  return { size, showsExternalIds, idsWith: (trait: Trait): readonly number[] => idsByTrait.get(trait) ?? [] };
}
