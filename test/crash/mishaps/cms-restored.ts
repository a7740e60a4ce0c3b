import type { RoundPlan } from '../plan.ts';
import type { Site } from '../site.ts';
import { release, sync } from '../sync.ts';
import { addEditorsItems, type EditorsItems } from './editors.ts';
import type { Mishap } from './mishap.ts';

const CHANGES = {
  events: 0,
  accounts: 0,
  changed: Array.from({ length: 40 }, (_, nth) => 3 * nth),
  toggled: [],
  takenBack: 0,
};

/**
 * The CMS is replaced with a backup, and gives the ids of what it has lost to items of editors. The operator makes feedferry
 * forget its records, which external ids then restore. Without them, only backups of the same time fit together: what a run has
 * delivered in between is in neither.
 */
export function cmsRestored(site: Site, { externalId }: RoundPlan): Mishap {
  let editors: EditorsItems | undefined;
  return {
    async prepare() {
      await site.sandbox.backUp();
      await site.ledger.backUp();
    },
    async strike() {
      await site.sandbox.restore();
      editors = await addEditorsItems(site.sandbox);
      site.source.edit(CHANGES);
      await sync(site, 'after-restore');
      const findings = await editors.check();
      if (!externalId) {
        await site.sandbox.restore();
        await site.ledger.restore();
        editors = await addEditorsItems(site.sandbox);
      }
      return findings;
    },
    async recover() {
      const findings = (await editors?.check()) ?? [];
      if (!externalId) return findings;
      await release(site);
      site.source.loseMarks();
      return findings;
    },
  };
}
