import type { App } from '../../app/app.ts';
import { configuredSync } from '../answers/configured-sync.ts';
import { itemLink } from '../answers/item-link.ts';
import { type Paging, pageByKey } from '../answers/paging.ts';
import type { PurgePreviewView } from '../views/run.ts';

/** Creates the query for what a purge of a sync would delete. The file of the sync may be missing. */
export function createPurgePreview(app: () => App) {
  return { purgePreview };

  async function purgePreview(sync: string, paging: Paging): Promise<PurgePreviewView> {
    const { config, ledger } = app();
    const [counts, { rows, next }] = await Promise.all([
      ledger.plans.countPurgeable(sync),
      pageByKey(paging, (after, limit) => ledger.plans.purgePage(sync, after, limit)),
    ]);
    // Only a sync without items is looked up in the config: an orphan has items but no file.
    if (counts.deletes + counts.adopted === 0) configuredSync(sync, config);
    const configured = config.syncs.find(({ name }) => name === sync);
    return {
      sync,
      resource: rows[0]?.resource ?? configured?.resource ?? null,
      ...counts,
      items: rows.map(({ key, title, resource, cmsId }) => {
        return { key, title, cmsId: cmsId ?? undefined, ...itemLink(config.target, resource, cmsId) };
      }),
      next,
    };
  }
}
