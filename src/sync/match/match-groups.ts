/** Records and items that have the same values in the attributes that tell them. */
export interface MatchGroup {
  keys: readonly string[];
  items: readonly MatchedItem[];
}

/** An item of the CMS that a record may be. */
export interface MatchedItem {
  id: number;
  /** The external-id attribute says that it belongs to another record. */
  isForeign: boolean;
}

export type Match = { is: 'new' } | { is: 'adopted'; id: number } | { is: 'ambiguous'; reason: string };

/** Judges a group: only one record and one item are a match. */
export function judgeGroup({ keys, items }: MatchGroup): Match {
  const [item, ...others] = items;
  if (!item) return { is: 'new' };
  if (others.length > 0) return ambiguous(`${items.length} items in the CMS match it (${idsOf(items)})`);
  if (keys.length > 1) return ambiguous(`CMS item ${item.id} matches ${keys.length} records (${listed(keys)})`);
  if (item.isForeign) return ambiguous(`CMS item ${item.id} matches it, but has the external id of another record`);
  return { is: 'adopted', id: item.id };
}

function ambiguous(reason: string): Match {
  return { is: 'ambiguous', reason };
}

function idsOf(items: readonly MatchedItem[]): string {
  return `ids ${items
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ')}${items.length > 5 ? ', …' : ''}`;
}

function listed(keys: readonly string[]): string {
  const quoted = keys.slice(0, 5).map((key) => `"${key}"`);
  return `${quoted.join(', ')}${keys.length > 5 ? ', …' : ''}`;
}
