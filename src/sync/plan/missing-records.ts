import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { DayRange } from '../../core/dates/iso-date.ts';
import { dateAt } from '../../core/dates/iso-date.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload } from '../../core/record.ts';
import type { MissingAction } from '../../ledger/plans/missing-records.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { spanOf, windowDays } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * The records that are missing from a feed that was read whole; `newly`: only since the last seven days; `removals`: how
 * many are staged to be deleted or marked; `removedBefore`: how many the runs of the last seven days have deleted or marked.
 */
export const noneMissing = { covered: 0, missing: 0, newly: 0, removals: 0, removedBefore: 0 };
export type Missing = typeof noneMissing;

/**
 * Counts the records that a feed does not have, and stages the removals that are due.
 * @param feed `isWhole`: whether the feed proves that records are missing; `deletions`: removals staged for the source
 */
export async function stageMissing(
  run: string,
  { isWhole, deletions }: { isWhole: boolean; deletions: number },
  { sync, target, ledger, runtime }: Pick<RunContext, 'sync' | 'target' | 'ledger' | 'runtime'>,
): Promise<Missing> {
  if (!isWhole && deletions === 0) return noneMissing;
  const covered = isWhole ? coveredBy(sync, target, runtime.now()) : {};
  const action = actionOf(sync);
  const due = isWhole && action ? await ledger.plans.stageMissing(run, sync.name, covered, action) : 0;
  const removals = deletions + due;
  const removedBefore = removals > 0 ? await ledger.plans.countRemoved(run, sync.name) : 0;
  const counted = await ledger.plans.countMissing(run, sync.name, covered);
  return { ...counted, ...(isWhole ? {} : { missing: deletions }), removals, removedBefore };
}

/**
 * The date range for which the feed of a sync is authoritative: its window, without the past unless the sync includes it. Of several
 * sources, the days from the first to the last one of which any is authoritative.
 * @param now ms since 1970
 */
export function coveredBy({ window, missing, sources }: SyncConfig, { timezone }: TargetConfig, now: number): DayRange {
  const windows = sources?.map(({ sync }) => sync.window) ?? [window];
  const { from, to } = spanOf(windows.map((each) => windowDays(each, timezone, now)));
  const today = dateAt(now, timezone);
  const includesPast = missing.policy !== 'keep' && missing.includePast;
  return { from: includesPast || (from !== undefined && from > today) ? from : today, to };
}

/** What the sync does with records that its source no longer has; undefined: it keeps them. */
export function actionOf({ missing }: SyncConfig): MissingAction | undefined {
  if (missing.policy === 'keep') return undefined;
  if (missing.policy === 'delete') return { op: 'delete', after: missing.after };
  const { set: attributes, after } = missing;
  return { op: 'mark', mark: { attributes, hash: hashJson({ mark: attributes }) }, after };
}

/** The payload of a record that is no longer missing: resets the attributes that its mark had set and its source does not set. */
export function unmarked(payload: Payload, known: Pick<KnownRecord, 'marked'> | undefined): Payload {
  return { ...known?.marked, ...payload };
}
