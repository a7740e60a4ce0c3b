import type { TargetConfig } from '../../config/types.ts';
import type { Resource } from '../../core/record.ts';

/** Returns the address at which people see an item in the CMS; undefined if the config has no `target.itemLinks` for it. */
export function itemLink(target: TargetConfig, resource: Resource, cmsId: number): string | undefined {
  return target.itemLinks?.[resource]?.replaceAll('{id}', String(cmsId));
}
