import { randomUUID } from 'node:crypto';
import { CmsError } from './errors.ts';
import type { CmsItem, Page } from './items.ts';
import type { ListQuery } from './query.ts';

type Write = (attribute: string, value: string) => NonNullable<ListQuery['attributes']>;

/** How a list may be asked for items that have a value. The API does not show it (API: "Common query parameters for lists"). */
const spellings = {
  'attributes[KEY]=VALUE': (attribute, value) => ({ [attribute]: value }),
  'attributes=KEY:VALUE': (attribute, value) => `${attribute}:${value}`,
  'attributes=KEY=VALUE': (attribute, value) => `${attribute}=${value}`,
  'attributes[]=KEY:VALUE': (attribute, value) => ({ '': `${attribute}:${value}` }),
  'attributes={"KEY":"VALUE"}': (attribute, value) => JSON.stringify({ [attribute]: value }),
} satisfies Record<string, Write>;

/** What a probe needs of a resource client. */
interface PagedList {
  page(query: ListQuery): Promise<Page<CmsItem>>;
}

/** A way to ask for items by the value of one attribute that was seen to work. */
export interface AttributeFilter {
  spelling: keyof typeof spellings;
  /** The query for a value; undefined where it has characters that the values tried have not, so that nobody knows. */
  queryFor(value: string): ListQuery | undefined;
}

export type FilterProbe = { works: true; filter: AttributeFilter } | { works: false; reason: string };

/** Items of one page; a probe looks at no other. */
const limit = 100;
const longestValue = 200;

/**
 * Finds out, by reading alone, whether a list can be asked for the items that have a value of an attribute: for one that
 * an item has, that item must come, and none with another value; for one that no item has, none.
 * @param sample items of the list, to take a value from
 * @throws CmsError where the CMS cannot be asked now; a request that it refuses means that the spelling is wrong
 */
export async function probeAttributeFilter(
  list: PagedList,
  attribute: string,
  sample: readonly CmsItem[],
): Promise<FilterProbe> {
  const known = mostTelling(attribute, sample);
  if (!known) return { works: false, reason: `no item that was looked at has a ${attribute} to ask for` };
  for (const [spelling, write] of Object.entries(spellings) as Array<[keyof typeof spellings, Write]>) {
    const queryFor = (value: string): ListQuery => ({ limit, attributes: write(attribute, value) });
    const found = await ask(list, queryFor(known.value));
    if (found === 'broken') return { works: false, reason: `the CMS fails where it is asked for ${attribute}` };
    if (!found?.some(({ id }) => id === known.id)) continue;
    if (!found.every((item) => isLike(item[attribute], known.value))) continue;
    const nothing = await ask(list, queryFor(`${randomUUID()}${known.value}`));
    if (nothing?.length !== 0) continue;
    const isKnown = (value: string) => [...special(value)].every((character) => special(known.value).has(character));
    return { works: true, filter: { spelling, queryFor: (value) => (isKnown(value) ? queryFor(value) : undefined) } };
  }
  return { works: false, reason: `the list does not heed ${attribute}, however it is asked` };
}

/** The value with the most kinds of special characters: what works with it works with simpler ones. */
function mostTelling(attribute: string, sample: readonly CmsItem[]): { id: number; value: string } | undefined {
  const values = sample.flatMap((item) => {
    const value = item[attribute];
    return typeof value === 'string' && isPlain(value) ? [{ id: item.id, value }] : [];
  });
  return values.reduce<(typeof values)[number] | undefined>(
    (best, other) => (best && special(best.value).size >= special(other.value).size ? best : other),
    undefined,
  );
}

function isPlain(value: string): boolean {
  return value !== '' && value.trim() === value && value.length <= longestValue;
}

/** All characters but ASCII letters and digits. */
function special(value: string): Set<string> {
  return new Set(value.replace(/[A-Za-z0-9]/g, ''));
}

function isLike(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
}

/** The items; none where the CMS does not understand. A CMS that fails is not tried any further: that might wear it out. */
async function ask(list: PagedList, query: ListQuery): Promise<CmsItem[] | 'broken' | undefined> {
  try {
    return (await list.page(query)).data;
  } catch (error) {
    if (error instanceof CmsError && error.code === 'FF_CMS_SERVER') return 'broken';
    if (error instanceof CmsError && error.kind === 'permanent') return undefined;
    throw error;
  }
}
