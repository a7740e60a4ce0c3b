import type { CmsItem } from '../../cms/client.ts';
import { allItems } from '../../cms/pages.ts';
import type { RunContext } from '../context/run-context.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';

/** What a reading of a list has shown so far. */
export interface ListReading {
  /** Ids of the items. */
  seen: Set<number>;
  /** Attributes that some item has. */
  shown: Set<string>;
  requests: number;
  /** How many items the CMS counts, if it does. */
  counted?: number;
}

export function newReading(): ListReading {
  return { seen: new Set(), shown: new Set(), requests: 0 };
}

/**
 * Reads the whole list to which a sync delivers, a page at a time.
 * @param reading is filled with what the list shows
 * @throws CmsError
 */
export async function* readList(reading: ListReading, context: RunContext): AsyncGenerator<CmsItem[]> {
  const { checks, sync, signal, onProgress } = context;
  const client = sync.resource === 'accounts' ? checks.accounts() : checks.events(sync.instance);
  let total = 0;
  const items = allItems<CmsItem>(
    async (query) => {
      reading.requests += 1;
      const page = await client.page(query, { signal });
      total = page.pagination?.total ?? page.totalItems ?? total;
      onProgress?.({ phase: 'verifying', sync: sync.name, done: reading.seen.size, total });
      return page;
    },
    { limit: ITEMS_PER_PAGE },
    { acceptsHidden: true },
  );
  let batch: CmsItem[] = [];
  for (let next = await items.next(); ; next = await items.next()) {
    if (next.done) {
      reading.counted = next.value;
      break;
    }
    reading.seen.add(next.value.id);
    for (const attribute of Object.keys(next.value)) reading.shown.add(attribute);
    batch.push(next.value);
    if (batch.length < ITEMS_PER_PAGE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
