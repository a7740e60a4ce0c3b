import type { CmsClient, CmsItem, EventQuery, ResourceClient } from '../../cms/client.ts';
import type { Page } from '../../cms/items.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { Resource } from '../../core/record.ts';

/** The `limit` with which feedferry reads lists. */
export const ITEMS_A_PAGE = 100;

/** A list of the CMS to which syncs deliver. The checks only read it. */
export interface CmsList {
  /** Name of the list, such as "accounts", "events" or "events of arts". */
  name: string;
  resource: Resource;
  /** The syncs that deliver to it. */
  syncs: readonly SyncConfig[];
  page(query: EventQuery): Promise<Page<CmsItem>>;
}

/** Returns the lists to which the syncs deliver, each list once. */
export function listsOf(syncs: readonly SyncConfig[], cms: CmsClient, signal: AbortSignal): CmsList[] {
  const lists = syncs.map(({ resource, instance }): CmsList => {
    const client: Pick<ResourceClient<CmsItem, EventQuery>, 'page'> = resource === 'accounts'
      ? cms.accounts()
      : cms.events(instance);
    const name = resource === 'events' && instance ? `events of ${instance}` : resource;
    const sharing = syncs.filter((sync) => sync.resource === resource && sync.instance === instance);
    return { name, resource, syncs: sharing, page: (query) => client.page(query, { signal }) };
  });
  return [...new Map(lists.map((list) => [list.name, list])).values()];
}
