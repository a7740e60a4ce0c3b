import { randomUUID } from 'node:crypto';
import { CmsError } from './errors.ts';
import type { CmsItem } from './items.ts';
import type { ListQuery } from './query.ts';
import type { ResourceClient } from './resource.ts';

type PagedList = Pick<ResourceClient<CmsItem>, 'page'>;

/** Returns the query of a list for a value of an attribute; undefined if the value has special characters that were not tested. */
export type AttributeFilter = (value: string) => ListQuery | undefined;

/** A probe reads single pages of this size. */
const limit = 100;
const longestValue = 200;

/**
 * Tests, by reading alone, whether a list can be filtered by an attribute, as `attributes[KEY]=VALUE`. With the value of an item,
 * the list must return that item and no items with another value; with a value that no item has, it must be empty.
 * @param sample items of the list, to take a value from
 * @param uuid returns a value that no item has
 * @returns the filter, if there is one that can be trusted
 * @throws CmsError if the CMS cannot be asked now; a refused request only shows that there is no such filter
 */
export async function probeAttributeFilter(
  list: PagedList,
  attribute: string,
  sample: readonly CmsItem[],
  uuid: () => string = randomUUID,
): Promise<AttributeFilter | undefined> {
  const known = mostSpecial(attribute, sample);
  if (!known) return undefined;
  const queryFor = (value: string): ListQuery => ({ limit, attributes: { [attribute]: value } });
  const found = await ask(list, queryFor(known.value));
  if (!found?.some(({ id }) => id === known.id)) return undefined;
  if (!found.every((item) => isLike(item[attribute], known.value))) return undefined;
  const nothing = await ask(list, queryFor(`${uuid()}${known.value}`));
  if (nothing?.length !== 0) return undefined;
  const tested = special(known.value);
  return (value) => ([...special(value)].every((character) => tested.has(character)) ? queryFor(value) : undefined);
}

/** Returns the value with the most kinds of special characters: a filter that works with this value works with simpler ones. */
function mostSpecial(attribute: string, sample: readonly CmsItem[]): { id: number; value: string } | undefined {
  const values = sample.flatMap((item) => {
    const value = item[attribute];
    return typeof value === 'string' && isPlain(value) ? [{ id: item.id, value }] : [];
  });
  return values.toSorted((a, b) => special(b.value).size - special(a.value).size)[0];
}

function isPlain(value: string): boolean {
  return value !== '' && value.trim() === value && value.length <= longestValue;
}

/** Returns all characters except ASCII letters and digits. */
function special(value: string): Set<string> {
  return new Set(value.replace(/[A-Za-z0-9]/g, ''));
}

function isLike(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
}

/** Returns the items, or undefined if the CMS refuses the query, or fails. */
async function ask(list: PagedList, query: ListQuery): Promise<CmsItem[] | undefined> {
  try {
    return (await list.page(query)).data;
  } catch (error) {
    if (error instanceof CmsError && (error.kind === 'permanent' || error.code === 'FF_CMS_SERVER')) return undefined;
    throw error;
  }
}
