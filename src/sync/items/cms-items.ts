import type { CmsClient, CmsItem } from '../../cms/client.ts';
import { isNotFound } from '../../cms/errors.ts';
import type { CallOptions } from '../../cms/resource.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { Payload, Resource } from '../../core/record.ts';

/** How many items a page of a list is asked for; the CMS may give fewer. */
export const ITEMS_PER_PAGE = 100;

/** The items of a resource; of events, those of the sync's calendar. */
export function itemsOf(
  resource: Resource,
  { cms, sync, call }: { cms: CmsClient; sync: Pick<SyncConfig, 'instance'>; call?: CallOptions },
) {
  const items = resource === 'events' ? cms.events(sync.instance) : cms.accounts();
  return {
    get: (id: number): Promise<CmsItem> => items.get(id, call),
    create: (payload: Payload): Promise<CmsItem> => items.create(payload, call),
    patch: (id: number, payload: Payload): Promise<CmsItem> => items.patch(id, payload, call),
    delete: (id: number): Promise<void> => items.delete(id, call),
  };
}

/** The answer to a request for an item; undefined where the CMS has that no more. */
export async function unlessGone<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
