import type { RoundPlan } from '../plan.ts';
import type { Site } from '../site.ts';
import { adoptAll } from './adopt-all.ts';
import type { Mishap } from './mishap.ts';

/** The ledger is replaced with a backup of some runs ago. External ids show what it lacks; without them, a run adopts it. */
export function ledgerRestored(site: Site, { externalId }: RoundPlan): Mishap {
  return {
    async prepare() {
      await site.ledger.backUp();
      site.source.remember();
    },
    async strike() {
      await site.ledger.restore();
      site.source.loseMarks();
      return externalId ? [] : adoptAll(site);
    },
  };
}
