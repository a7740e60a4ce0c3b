import type { Finding } from '../checks/finding.ts';
import type { RoundPlan } from '../plan.ts';
import type { Site } from '../site.ts';
import { runsOf, sync } from '../sync.ts';
import { writesTo } from '../writes.ts';
import { adoptAll } from './adopt-all.ts';
import type { Mishap } from './mishap.ts';

/**
 * The ledger is lost. The external ids in the CMS restore it; without them, the first run is held, and the operator adopts the
 * items or restores a backup of the ledger.
 */
export function ledgerLost(site: Site, { externalId, mishap: { remedy } }: RoundPlan): Mishap {
  return {
    async strike() {
      if (remedy === 'restore') await site.ledger.backUp();
      await site.ledger.lose();
      site.source.loseMarks();
      if (externalId) return [];
      const findings = await checkHeld(site);
      if (remedy === 'adopt') return [...findings, ...(await adoptAll(site))];
      await site.ledger.restore();
      return findings;
    },
  };
}

/** The first run of each sync is held and sends nothing: it would double the site. */
async function checkHeld(site: Site): Promise<Finding[]> {
  const before = await writesTo(site);
  const held = await sync(site, 'first-run');
  const writes = (await writesTo(site)) - before;
  const others = runsOf(held).filter(({ status, error }) => status !== 'held' || error?.code !== 'FF_GUARD_DUPLICATES');
  if (writes === 0 && others.length === 0) return [];
  return [{ is: 'doubled', what: `a first run with a lost ledger sent ${writes} writes: ${held.stdout}` }];
}
