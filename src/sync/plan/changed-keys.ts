import { clockAt } from '../../core/dates/iso-date.ts';
import type { StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { UnreadRecord } from '../../ledger/plans/changed-keys.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import { decide, toColumns } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import type { Candidate } from './candidate.ts';
import { unmarked } from './missing-records.ts';
import { type Grade, recogniseRecords, unlinked } from './recognise.ts';
import { resembling } from './same-content.ts';

/** Result of comparing the records that are missing with those that are new. */
export const noChurn = {
  /** Records in the CMS that were recognised under a new key, and keep their CMS id. */
  relinked: 0,
  /** Occurrences in the CMS whose series has changed. They keep their CMS ids, too. */
  rescheduled: 0,
  /** New records that resemble missing ones, but were not recognised. */
  ambiguous: 0,
  /** New records that are not recognised. */
  fresh: 0,
  /** Most keys of the feed have changed. */
  wholeFeed: false,
};
export type Churn = typeof noChurn;

/** The grades that recognise occurrences of a series that has changed. */
const SERIES: ReadonlySet<Grade> = new Set(['hours', 'day', 'shownDay', 'shift']);

/** Recognises staged records whose keys the source has changed, and plans updates of the published records instead of creates. */
export async function relinkRecords(run: string, plan: PlanTotals, context: DeliveryContext): Promise<Churn> {
  const { ledger, sync } = context;
  const unread = await ledger.plans.recordsNotRead(run, sync.name);
  if (unread.length === 0) return noChurn;
  const fresh = await ledger.plans.newRecords(run, sync.name);
  const gone = unread.map((known) => ({ ...known, known, payload: known.content }));
  // Of several sources, each was compared with itself: an event that one of them drops is not the one that another one adds.
  const links = sync.sources ? [] : recogniseRecords(gone, fresh, await surroundingsOf(run, { gone, fresh }, context));
  for (const { old, found } of links) {
    const planned = planAgain(found, old.known, context);
    await ledger.plans.changeKey(run, { from: old.key, to: found.key, planned });
  }
  const bySeries = links.filter(({ grade }) => SERIES.has(grade));
  const relinked = links.filter(({ grade }) => !SERIES.has(grade));
  const others = unlinked({ gone, fresh }, bySeries);
  const left = unlinked(others, relinked);
  // What only a former source had is not expected.
  const isExpected = (known: UnreadRecord) => isThere(known) && (sync.sources !== undefined || !known.hasMembers);
  return {
    relinked: relinked.filter(({ old }) => isThere(old)).length,
    rescheduled: bySeries.filter(({ old }) => isThere(old)).length,
    ambiguous: resembling(left.gone, left.fresh).length,
    fresh: left.fresh.length,
    wholeFeed: isChurn({
      gone: others.gone.filter(isExpected).length,
      fresh: others.fresh.length,
      kept: plan.counts.unchanged + plan.updates + bySeries.length,
    }),
  };
}

function isThere({ deleted }: UnreadRecord): boolean {
  return !deleted;
}

async function surroundingsOf(
  run: string,
  { gone, fresh }: { gone: readonly Candidate[]; fresh: readonly Candidate[] },
  { ledger, sync, target, runtime }: DeliveryContext,
) {
  const changed = new Set(gone.flatMap(({ occurrence }) => occurrence?.series ?? []));
  const mayShift = fresh.some(({ occurrence }) => occurrence && changed.has(occurrence.series));
  return {
    kept: mayShift ? await ledger.plans.occurrencesRead(run, sync.name) : [],
    now: clockAt(runtime.now(), target.timezone),
    constants: new Set(Object.keys(sync.map ?? {}).filter((attribute) => sync.map?.[attribute]?.value !== undefined)),
  };
}

function planAgain({ key, payload, attachments }: StagedCreate, known: UnreadRecord, context: DeliveryContext) {
  const wanted = unmarked(payload, known);
  const fingerprints = fingerprintsOf(attachments, context.sync, known);
  const decision = decide({ key, payload: wanted, fingerprints }, known, context);
  return { ...toColumns(decision), desired: JSON.stringify(wanted) };
}

/** Whether the keys of a whole feed have changed: most earlier records are missing, and most present ones are new. */
export function isChurn({ gone, fresh, kept }: { gone: number; fresh: number; kept: number }): boolean {
  return gone >= 3 && gone > kept && fresh > kept;
}
