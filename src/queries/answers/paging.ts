/** Position in a list that is read in pages. */
export interface Paging {
  /** `next` of the page before; absent: the first page. */
  after?: string;
  limit: number;
}

/** Which records are searched for. */
export interface RecordSearch extends Paging {
  /** Absent: those of all syncs. */
  sync?: string;
  /** Words of title and key, a CMS id or a CMS address; absent: all. */
  words?: string;
  states?: readonly string[];
}

/**
 * Reads one page of a list that is ordered by keys.
 * @param read reads at most so many rows whose keys follow `after`
 * @returns the rows, and the cursor of the next page; none after the last one
 */
export async function pageOf<Row extends { key: string }>(
  { after = '', limit }: Paging,
  read: (after: string, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; next?: string }> {
  const found = await read(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, ...(last !== undefined && found.length > limit && { next: last.key }) };
}
