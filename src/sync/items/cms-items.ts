import type { CmsItem } from '../../cms/client.ts';
import { CmsNotFoundError } from '../../cms/errors.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claims.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

/** How many items a page of a list is asked for; the CMS may give fewer. */
export const ITEMS_A_PAGE = 100;

/** What a delivery asks of a resource of the CMS. All of it throws CmsError. */
interface Items {
  get(id: number): Promise<CmsItem>;
  create(payload: Payload): Promise<CmsItem>;
  patch(id: number, payload: Payload): Promise<CmsItem>;
  delete(id: number): Promise<void>;
}

/** The items of a resource; of events, those of the sync's calendar. */
export function itemsOf(
  resource: Resource,
  { cms, sync, call }: Pick<DeliveryContext, 'cms' | 'sync' | 'call'>,
): Items {
  const items = resource === 'events' ? cms.events(sync.instance) : cms.accounts();
  return {
    get: (id) => items.get(id, call),
    create: (payload) => items.create(payload, call),
    patch: (id, payload) => items.patch(id, payload, call),
    delete: (id) => items.delete(id, call),
  };
}

/** The answer to a request for an item; undefined where the CMS has that no more. */
export async function unlessGone<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof CmsNotFoundError) return undefined;
    throw error;
  }
}

/** The value of the external-id attribute: whose record it is, readable in the CMS. */
export function externalIdOf({ sync, key }: Pick<ClaimedRecord, 'sync' | 'key'>): string {
  return `${sync}:${key}`;
}

/** What the external-id attribute of an item says, where it is configured and the CMS shows it. */
export function markOn(item: CmsItem, externalId: string | undefined): string | undefined {
  const mark = externalId === undefined ? undefined : item[externalId];
  return typeof mark === 'string' && mark !== '' ? mark : undefined;
}

/** The external-id attribute with its value, where it is configured. */
export function markOf(
  record: Pick<ClaimedRecord, 'sync' | 'key'>,
  { target }: Pick<DeliveryContext, 'target'>,
): Payload {
  return target.externalId ? { [target.externalId]: externalIdOf(record) } : {};
}
