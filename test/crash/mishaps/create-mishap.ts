import type { RoundPlan } from '../plan.ts';
import type { Site } from '../site.ts';
import { cmsRestored } from './cms-restored.ts';
import { feedCut } from './feed-cut.ts';
import { ledgerLost } from './ledger-lost.ts';
import { ledgerRestored } from './ledger-restored.ts';
import type { Mishap } from './mishap.ts';

const mishaps = {
  none: () => ({ strike: async () => [] }),
  'ledger lost': ledgerLost,
  'ledger restored': ledgerRestored,
  'CMS restored': cmsRestored,
  'feed cut': feedCut,
} as const satisfies Record<RoundPlan['mishap']['what'], (site: Site, plan: RoundPlan) => Mishap>;

export function createMishap(site: Site, plan: RoundPlan): Mishap {
  return mishaps[plan.mishap.what](site, plan);
}
