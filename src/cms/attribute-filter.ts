import { randomUUID } from 'node:crypto';
import { CmsError } from './errors.ts';
import type { CmsItem } from './items.ts';
import type { ListQuery } from './query.ts';
import type { ResourceClient } from './resource.ts';

type PagedList = Pick<ResourceClient<CmsItem>, 'page'>;

/** A tested filter of a list by one attribute, as `attributes[KEY]=VALUE`. */
export interface AttributeFilter {
  /** Returns the query for a value; undefined if the value has special characters that were not tested. */
  queryFor(value: string): ListQuery | undefined;
}

export type FilterProbe = { works: true; filter: AttributeFilter } | { works: false; reason: string };

/** A probe reads single pages of this size. */
const limit = 100;
const longestValue = 200;

/**
 * Tests, by reading alone, whether a list can be filtered by an attribute. With the value of an item, the list must return
 * that item and no items with another value; with a value that no item has, it must be empty.
 * @param sample items of the list, to take a value from
 * @param uuid returns a value that no item has
 * @throws CmsError if the CMS cannot be asked now; a refused request only shows that there is no such filter
 */
export async function probeAttributeFilter(
  list: PagedList,
  attribute: string,
  sample: readonly CmsItem[],
  uuid: () => string = randomUUID,
): Promise<FilterProbe> {
  const known = mostSpecial(attribute, sample);
  if (!known) return { works: false, reason: `no item on the first page has a ${attribute} to filter by` };
  const queryFor = (value: string): ListQuery => ({ limit, attributes: { [attribute]: value } });
  const found = await ask(list, queryFor(known.value));
  if (found === 'broken') return { works: false, reason: `the CMS fails if the list is filtered by ${attribute}` };
  const ignored = { works: false, reason: `the list ignores a filter by ${attribute}` } as const;
  if (!found?.some(({ id }) => id === known.id)) return ignored;
  if (!found.every((item) => isLike(item[attribute], known.value))) return ignored;
  const nothing = await ask(list, queryFor(`${uuid()}${known.value}`));
  if (nothing?.length !== 0) return ignored;
  const isKnown = (value: string) => [...special(value)].every((character) => special(known.value).has(character));
  return { works: true, filter: { queryFor: (value) => (isKnown(value) ? queryFor(value) : undefined) } };
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

/** Returns the items, or undefined if the CMS refuses the query. A CMS that fails is not asked again, to spare it. */
async function ask(list: PagedList, query: ListQuery): Promise<CmsItem[] | 'broken' | undefined> {
  try {
    return (await list.page(query)).data;
  } catch (error) {
    if (error instanceof CmsError && error.code === 'FF_CMS_SERVER') return 'broken';
    if (error instanceof CmsError && error.kind === 'permanent') return undefined;
    throw error;
  }
}
