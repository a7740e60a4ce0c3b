import type { Environment } from '../../app/environment.ts';
import type { Config, SyncConfig } from '../../config/types.ts';
import type { LimitShare } from '../../core/run.ts';
import { lastShares } from '../../ledger/database/inspect.ts';
import { limitFor, limitsOf, percentageOf } from '../../sync/measure/change-limits.ts';
import { percent } from '../../sync/measure/judge-changes.ts';
import { type Finding, ok } from '../findings/finding.ts';

/** So many limits of a sync are reported: the nearest. */
const SHOWN = 3;

/** Reports how near the last run of each sync came to the limits that would have held it. */
export async function* checkLimits(environment: Environment, { syncs }: Config): AsyncGenerator<Finding> {
  // What is wrong with the ledger is another finding.
  const shares = await lastShares(environment).catch(() => new Map<string, LimitShare[]>());
  for (const sync of syncs) {
    const near = (shares.get(sync.name) ?? []).flatMap((share) => {
      const limit = limitOf(share, sync);
      return limit && limit.percent > 0 ? [{ share, limit, part: percentageOf(share) / limit.percent }] : [];
    });
    for (const { share, limit } of near.toSorted((one, other) => other.part - one.part).slice(0, SHOWN)) {
      const atLeast = share.of < limit.atLeast ? ` of at least ${limit.atLeast}` : '';
      const message = `${sync.name}: ${share.text} (${percent(share)}) in its last run with changes.`;
      yield ok(`limits.${sync.name}`, `${message} More than ${limit.percent} %${atLeast} would hold it.`);
    }
  }
}

function limitOf({ rule, isUniform }: LimitShare, sync: SyncConfig) {
  if (rule === 'missing')
    return { percent: sync.missing.policy === 'keep' ? 0 : (sync.missing.threshold.percent ?? 0), atLeast: 0 };
  return limitFor({ rule, ...(isUniform && { uniform: { manner: 'same' } }) }, limitsOf(sync));
}
