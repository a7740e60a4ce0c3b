const NAMED = 5;

/** Records and items that have the same values in the attributes that identify them. */
interface MatchGroup {
  keys: readonly string[];
  /** `isForeign`: has the external id of another record. */
  items: ReadonlyArray<{ id: number; isForeign: boolean }>;
}

type Match = { is: 'new' } | { is: 'adopted'; id: number } | { is: 'ambiguous'; reason: string };

/** Decides how records and items of a group match: only one record and one item are a match. */
export function matchGroup({ keys, items }: MatchGroup): Match {
  const [item, ...others] = items;
  if (!item) return { is: 'new' };
  if (others.length > 0) {
    return ambiguous(`${items.length} items in the CMS match it (${idList(items.map(({ id }) => id))})`);
  }
  if (keys.length > 1) {
    const records = firstFew(keys.map((key) => `"${key}"`));
    return ambiguous(`CMS item ${item.id} matches ${keys.length} records (${records})`);
  }
  if (item.isForeign) return ambiguous(`CMS item ${item.id} matches it, but has the external id of another record`);
  return { is: 'adopted', id: item.id };
}

function ambiguous(reason: string): Match {
  return { is: 'ambiguous', reason };
}

/** The first few ids, for a message. */
export function idList(ids: readonly number[]): string {
  return `ids ${firstFew(ids)}`;
}

function firstFew(names: ReadonlyArray<string | number>): string {
  return `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ', …' : ''}`;
}
