import { createCmsClient } from '../../cms/client.ts';
import { isUnfilled, readOnlyAttributes, standardAttributes } from '../../core/attributes.ts';
import { CodedError } from '../../core/errors.ts';
import type { Resource } from '../../core/record.ts';
import { newestPage } from '../../sync/items/cms-items.ts';
import type { App } from '../app.ts';

const ITEMS = 100;

/** The attributes that a map can set, as far as they are known. */
export interface SiteAttributes {
  /** Of the API: "Resources and their fields". */
  standard: readonly string[];
  /** Others: those that `target.attributes` names, and those that have a value in one of the newest or oldest items of the site. */
  custom: readonly string[];
  /** Number of items read: without any, nothing is known of custom attributes. */
  items: number;
  /** Why the items of the site could not be read. */
  unread?: string;
}

/** Reads the newest and the oldest items of the site, and lists their attributes. Errors are in the result. */
export async function siteAttributes(
  resource: Resource,
  { config: { target }, gates }: Pick<App, 'config' | 'gates'>,
  signal: AbortSignal,
): Promise<SiteAttributes> {
  const standard = Object.keys(standardAttributes[resource]);
  const named = [...(target.attributes?.[resource] ?? [])];
  const cms = createCmsClient({ ...target, concurrency: 1, gate: gates.checks, retries: 0 });
  try {
    const list = resource === 'events' ? cms.events() : cms.accounts();
    const { data: oldest } = await list.page({ limit: ITEMS }, { signal });
    // Fewer are all that the site has. A CMS need not be able to sort.
    const newest = oldest.length < ITEMS ? [] : ((await newestPage(list, { signal })) ?? []);
    const data = [...new Map([...oldest, ...newest].map((item) => [item.id, item])).values()];
    const known = new Set([...standard, ...readOnlyAttributes[resource]].map((name) => name.split('.')[0]));
    const filled = data.flatMap((item) =>
      Object.entries(item).flatMap(([name, value]) => (isUnfilled(value as never) ? [] : [name])),
    );
    const custom = [...new Set(filled)].filter((name) => !known.has(name) && name !== target.externalId).sort();
    return { standard, custom: [...new Set([...named, ...custom])].sort(), items: data.length };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { standard, custom: named, items: 0, unread: error.message };
  } finally {
    await cms.close();
  }
}
