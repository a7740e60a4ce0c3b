import type { Html } from './html.ts';
import { webLink } from './link.ts';

/** The number of an item in the CMS, with a link to it if the config says where items are edited. */
export function itemNumber({ cmsId, link }: { cmsId?: number; link?: string }): Html | string | undefined {
  if (cmsId === undefined) return undefined;
  return link === undefined ? `#${cmsId}` : webLink(link, `#${cmsId}`);
}
