import type { CallOptions, CmsClient, CmsItem, ResourceClient } from '../../cms/client.ts';
import { CmsError, isNotFound } from '../../cms/errors.ts';
import type { SyncConfig } from '../../config/types.ts';
import { TargetPausedError, TargetStoppedError } from '../../core/gate.ts';
import type { Payload, Resource } from '../../core/record.ts';

/** Number of items that a list request asks for; the CMS may return fewer. */
export const ITEMS_PER_PAGE = 100;

/** The items of a resource, or of the calendar of the sync. All methods throw CmsError. */
export function itemsOf(
  resource: Resource,
  { cms, sync, call }: { cms: CmsClient; sync: Pick<SyncConfig, 'instance'>; call?: CallOptions },
) {
  const items: ResourceClient<CmsItem> = resource === 'events' ? cms.events(sync.instance) : cms.accounts();
  return {
    get: (id: number) => items.get(id, call),
    create: (payload: Payload) => items.create(payload, call),
    patch: (id: number, payload: Payload) => items.patch(id, payload, call),
    delete: (id: number) => items.delete(id, call),
  };
}

/** Whether the CMS could not be asked: it has refused a request or not answered it, or no requests are sent to it for now. */
export function isCmsFailure(error: unknown): error is CmsError | TargetPausedError | TargetStoppedError {
  return error instanceof CmsError || error instanceof TargetPausedError || error instanceof TargetStoppedError;
}

/** The answer to a request for an item; undefined if the CMS no longer has the item. */
export async function unlessDeleted<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The newest items, one page of them; undefined if the CMS refuses to sort. @throws CmsError */
export async function newestPage(
  items: Pick<ResourceClient<CmsItem>, 'page'>,
  call?: CallOptions,
): Promise<CmsItem[] | undefined> {
  try {
    return (await items.page({ limit: ITEMS_PER_PAGE, sort: '-id' }, call)).data;
  } catch (error) {
    if (error instanceof CmsError && error.kind === 'permanent') return undefined;
    throw error;
  }
}

/** Options of a search in the CMS for a sync. */
export function callOf({
  sync,
  call,
}: {
  sync: Pick<SyncConfig, 'instance' | 'renamedFrom' | 'sources'>;
  call?: CallOptions;
}) {
  const { instance, renamedFrom, sources } = sync;
  return { instance, names: { renamedFrom, sources }, signal: call?.signal };
}
