import { dateAt } from '../../core/dates/iso-date.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { UnreadRecord } from '../../ledger/plans/changed-keys.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import { decide, toColumns } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { unmarked } from './missing-records.ts';
import { matchShiftedSeries } from './shifted-series.ts';

/** Result of comparing the records that are missing with those that are new. */
export const noChurn = {
  /** Records in the CMS that were recognised under a new key, and keep their CMS id. */
  relinked: 0,
  /** Occurrences in the CMS whose series has shifted. They keep their CMS ids, too. */
  shifted: 0,
  /** New records that match missing ones, but not one to one. */
  ambiguous: 0,
  /** Most keys of the feed have changed. */
  wholeFeed: false,
};
export type Churn = typeof noChurn;

/** Recognises staged records whose keys the source has changed, and plans updates of the published records instead of creates. */
export async function relinkRecords(run: string, plan: PlanTotals, context: DeliveryContext): Promise<Churn> {
  const { ledger, sync } = context;
  const unread = await ledger.plans.recordsNotRead(run, sync.name);
  if (unread.length === 0) return noChurn;
  const fresh = await ledger.plans.newRecords(run, sync.name);
  const gone = unread.map((known) => ({ ...known, known, payload: known.content }));
  const shifted = await shiftedSeries(run, { gone, fresh }, context);
  const taken = new Set(shifted.flatMap(([old, found]) => [old.key, found.key]));
  const isOpen = ({ key }: Candidate) => !taken.has(key);
  const [stillGone, stillFresh] = [gone.filter(isOpen), fresh.filter(isOpen)];
  const { links, ambiguous } = matchByContent(stillGone, stillFresh);
  for (const [{ known }, found] of [...shifted, ...links]) {
    await ledger.plans.changeKey(run, { from: known.key, to: found.key, planned: planAgain(found, known, context) });
  }
  const isThere = ({ deleted }: UnreadRecord) => !deleted;
  const kept = plan.counts.unchanged + plan.updates;
  return {
    relinked: links.filter(([old]) => isThere(old)).length,
    shifted: shifted.filter(([old]) => isThere(old)).length,
    ambiguous: ambiguous.length,
    wholeFeed: isChurn({
      gone: stillGone.filter(isThere).length,
      fresh: stillFresh.length,
      kept: kept + shifted.length,
    }),
  };
}

/** Pairs occurrences in the CMS with the new ones of a series whose time has changed. */
async function shiftedSeries<Gone extends UnreadRecord & Candidate>(
  run: string,
  { gone, fresh }: { gone: readonly Gone[]; fresh: readonly StagedCreate[] },
  { ledger, sync, target: { timezone }, runtime }: DeliveryContext,
): Promise<Array<[Gone, StagedCreate]>> {
  if (sync.source.connector !== 'ical' || fresh.length === 0) return [];
  const keysKept = () => ledger.plans.keysRead(run, sync.name);
  return matchShiftedSeries(gone, fresh, { keysKept, today: dateAt(runtime.now(), timezone), timezone });
}

function planAgain({ key, payload, attachments }: StagedCreate, known: UnreadRecord, context: DeliveryContext) {
  const wanted = unmarked(payload, known);
  const fingerprints = fingerprintsOf(attachments, context.sync, known);
  const decision = decide({ key, payload: wanted, fingerprints }, known, context);
  return { ...toColumns(decision, known), desired: JSON.stringify(wanted) };
}

/** The parts of a record that are compared by content. */
export interface Candidate {
  key: string;
  resource: Resource;
  payload: Payload;
}

/**
 * Matches missing with new records: events by title, dates and start, accounts by email or username. Some publishers change
 * all keys at every export, as Outlook does with UIDs.
 * @returns `links` between exactly one missing and one new record; `ambiguous`: new records with several matches or a shared
 * one
 */
export function matchByContent<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
): { links: Array<[Gone, Fresh]>; ambiguous: Fresh[] } {
  const goneByContent = Map.groupBy(gone, contentOf);
  const links: Array<[Gone, Fresh]> = [];
  const ambiguous: Fresh[] = [];
  for (const [content, news] of Map.groupBy(fresh, contentOf)) {
    const olds = content === undefined ? [] : (goneByContent.get(content) ?? []);
    const [old] = olds;
    const [found] = news;
    if (old === undefined || found === undefined) continue;
    if (olds.length === 1 && news.length === 1) links.push([old, found]);
    else ambiguous.push(...news);
  }
  return { links, ambiguous };
}

function contentOf({ resource, payload }: Candidate): string | undefined {
  if (resource === 'accounts') {
    const name = payload.email || payload.username;
    return typeof name === 'string' ? name.toLowerCase() : undefined;
  }
  const { title, date, endDate, time } = payload;
  const start = typeof time === 'object' && time !== null && 'start' in time ? time.start : null;
  return typeof title === 'string' ? JSON.stringify([title.trim(), date, endDate, start]) : undefined;
}

/** Whether the keys of a whole feed have changed: most earlier records are missing, and most present ones are new. */
export function isChurn({ gone, fresh, kept }: { gone: number; fresh: number; kept: number }): boolean {
  return gone >= 3 && gone > kept && fresh > kept;
}
