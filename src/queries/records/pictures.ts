import type { App } from '../../app/app.ts';
import { isObject } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { fileAddress, fileName } from '../../sync/compare/differences.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { type Paging, pageByKey } from '../answers/paging.ts';
import { pictureAt } from '../answers/picture.ts';
import type { PicturesView } from '../views/sync.ts';
import { leftOutIn } from './left-out.ts';

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
  const waiting = paging.after === undefined ? await waitingFiles(sync, paging.limit, { config, ledger }) : [];
  return { sync, pictures, waiting, next };
}

/** The files of the first records that are held, but for those that a person has left out. */
async function waitingFiles(
  sync: string,
  limit: number,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<PicturesView['waiting']> {
  const held = await ledger.records.listed({ sync, status: 'held', limit });
  const left = await leftOutIn(
    sync,
    held.map(({ cmsId, ...record }) => ({ ...record, cmsId: cmsId ?? undefined })),
    ledger,
  );
  const files = held.map(async ({ key, payload, resource, error }) => {
    if (left.has(key)) return [];
    const about = { key, title: recordTitle(payload, resource), reason: error?.reason ?? '' };
    const content = await ledger.records.content(sync, key);
    return (content?.files ?? []).map(({ attribute, source }) => {
      const address = pictureAt(fileAddress(source), attribute, config.target.baseUrl);
      return { ...about, attribute, name: fileName(source), address };
    });
  });
  return (await Promise.all(files)).flat();
}
