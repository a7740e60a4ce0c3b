import type { RoundPlan } from '../plan.ts';
import type { Site } from '../site.ts';
import { converge, heal } from '../sync.ts';
import { adoptAll } from './adopt-all.ts';
import type { Mishap } from './mishap.ts';

/**
 * The ledger is replaced with a backup of some runs ago. External ids show what it lacks; without them, a run adopts it.
 * Verifying finds what has changed since and has the content of the backup again.
 */
export function ledgerRestored(site: Site, { externalId }: RoundPlan): Mishap {
  return {
    async prepare() {
      await site.ledger.backUp();
    },
    async strike() {
      await site.ledger.restore();
      site.source.loseMarks();
      return externalId ? [] : adoptAll(site);
    },
    async recover() {
      await converge(site, 'before-heal', 1);
      await heal(site);
      return [];
    },
  };
}
