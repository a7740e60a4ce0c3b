import type { SyncConfig } from '../../config/types.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewRecord, UnreadRecord } from '../../ledger/plans/changed-keys.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import { type DecisionContext, decide, toColumns } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import { type Candidate, isChurn, relink } from './churn.ts';
import { unmarked } from './missing-records.ts';

type RelinkContext = DecisionContext & { sync: Pick<SyncConfig, 'attachments'> };

/** Result of comparing the records that are missing with those that are new. */
export interface Churn {
  /** Records in the CMS that were recognised under a new key: they keep their CMS id. */
  relinked: number;
  /** New records that match missing ones, but not one to one. */
  ambiguous: number;
  /** Most keys of the feed have changed. */
  wholeFeed: boolean;
}

export const noChurn: Churn = { relinked: 0, ambiguous: 0, wholeFeed: false };

/** Recognises staged records whose keys the source has changed, and plans them as updates of the records that they are. */
export async function relinkRecords(
  run: string,
  { counts, updates }: PlanTotals,
  { ledger: { plans }, ...context }: RelinkContext & { ledger: Pick<Ledger, 'plans'> },
): Promise<Churn> {
  const { name: sync } = context.sync;
  const gone = await plans.recordsNotRead(run, sync);
  if (gone.length === 0) return noChurn;
  const fresh = await plans.newRecords(run, sync);
  const { links, ambiguous } = relink(gone.map(toCandidate), fresh);

  const goneByKey = new Map(gone.map((record) => [record.key, record]));
  const freshByKey = new Map(fresh.map((record) => [record.key, record]));
  for (const [from, to] of links) {
    const known = goneByKey.get(from);
    const found = freshByKey.get(to);
    if (known && found) await plans.changeKey(run, { from, to, planned: planAgain(found, known, context) });
  }
  return {
    relinked: [...links.keys()].filter((from) => !goneByKey.get(from)?.deleted).length,
    ambiguous: ambiguous.length,
    wholeFeed: isChurn({
      gone: gone.filter(({ deleted }) => !deleted).length,
      fresh: fresh.length,
      kept: counts.unchanged + updates,
    }),
  };
}

function toCandidate({ key, resource, content }: UnreadRecord): Candidate {
  return { key, resource, payload: content };
}

function planAgain({ key, payload, attachments }: NewRecord, known: UnreadRecord, context: RelinkContext) {
  const wanted = unmarked(payload, known);
  const fingerprints = fingerprintsOf(attachments, context.sync);
  const decision = decide({ key, payload: wanted, fingerprints }, known, context);
  return { ...toColumns(decision, known), desired: JSON.stringify(wanted) };
}
