import type { App } from '../../app/app.ts';
import { isObject } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { type Paging, pageByKey } from '../answers/paging.ts';
import { pictureAt } from '../answers/picture.ts';
import type { PicturesView } from '../views/sync.ts';

/** Returns the pictures of the items of a sync, as they were delivered. */
export async function picturesOf(
  sync: string,
  paging: Paging,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<PicturesView> {
  configuredSync(sync, config);
  const { rows, next } = await pageByKey(paging, (after, limit) => ledger.records.withItems(sync, after, limit));
  const pictures = rows.flatMap(({ key, resource, status, cmsId, delivered }) =>
    Object.entries(delivered).flatMap(([attribute, value]) => {
      const address = pictureAt(value, attribute, config.target.baseUrl);
      if (address === undefined) return [];
      const title = recordTitle(delivered, resource);
      const alt = isObject(value) && typeof value.alt === 'string' ? value.alt : undefined;
      return [{ key, title, status, cmsId: cmsId ?? undefined, attribute, address, alt }];
    }),
  );
  return { sync, pictures, next };
}
