import type { TargetConfig } from '../../config/types.ts';
import type { Resource } from '../../core/record.ts';

/** Returns the address at which people see an item in the CMS, if there is one, and the config has `target.itemLinks` for it. */
export function itemLink(
  target: TargetConfig,
  resource: Resource,
  cmsId: number | null | undefined,
): { link?: string } {
  const address = target.itemLinks?.[resource];
  if (address === undefined || cmsId === null || cmsId === undefined) return {};
  return { link: address.replaceAll('{id}', String(cmsId)) };
}
