import type { CmsItem } from '../../cms/client.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { externalIdOn } from '../items/external-id.ts';
import { matchKey } from '../items/values.ts';
import { type Sighting, sightingOf } from './rewritten-items.ts';

/** Something that identifies a record or an item of the CMS, as text: two with the same trait may be the same. */
export type Trait = string;

/** The trait of an item with an external id. */
export function externalIdTrait(externalId: string): Trait {
  return `externalId ${externalId}`;
}

/**
 * The traits of an item: its external id, otherwise the attributes that identify such an item. An item with the external id of
 * another record is never taken for this record's, however similar the two are.
 */
export function itemTraits(resource: Resource, item: CmsItem, externalId: string | undefined): Trait[] {
  const id = externalIdOn(item, externalId);
  if (id !== undefined) return [externalIdTrait(id)];
  if (resource === 'events') return firstOf(trait(item, 'title', 'date', 'time.start'), trait(item, 'title', 'date'));
  return [...trait(item, 'email', 'username'), ...trait(item, 'email'), ...trait(item, 'username')];
}

/**
 * The identity of an item without an external id that was created with this payload: title, day and start of an event (if the
 * CMS shows the start); email and username of an account, as far as the payload has them.
 * @returns `same`: an item with one of these was created with the payload; `similar`: an item with only one of these may have
 * been
 */
export function likenessOf(resource: Resource, payload: Payload): { same: Trait[]; similar: Trait[] } {
  if (resource === 'events') {
    const same = [...trait(payload, 'title', 'date', 'time.start'), ...trait(payload, 'title', 'date')];
    return { same, similar: [] };
  }
  const [email, username] = [trait(payload, 'email'), trait(payload, 'username')];
  return { same: firstOf(trait(payload, 'email', 'username'), email, username), similar: [...email, ...username] };
}

function firstOf(...traits: Trait[][]): Trait[] {
  return traits.find(({ length }) => length > 0) ?? [];
}

/** The trait of some attributes; empty if one of the attributes is empty. */
function trait(attributes: Readonly<Record<string, unknown>>, ...names: string[]): Trait[] {
  const values = matchKey(names, attributes);
  return values === undefined ? [] : [`${names.join()} ${values}`];
}

/** The ids of items of the CMS, by the traits of the items. */
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
  const idsByTrait = new Map<Trait, number[]>();
  const sightings = new Map<number, Sighting>();
  for (;;) {
    const { done, value } = await items.next();
    if (done) return { beganAt, idsWith, sightings, counted: value ?? sightings.size };
    sightings.set(value.id, sightingOf(value, externalId));
    for (const trait of itemTraits(resource, value, externalId)) {
      const ids = idsByTrait.get(trait);
      if (ids) ids.push(value.id);
      else idsByTrait.set(trait, [value.id]);
    }
  }

  function idsWith(trait: Trait): readonly number[] {
    return idsByTrait.get(trait) ?? [];
  }
}
