import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { addDays, clockAt, type DayRange } from '../../core/dates/iso-date.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload } from '../../core/record.ts';
import type { Covered, MissingAction } from '../../ledger/plans/missing-records.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { isOver, outside, spanOf, windowDays } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * The records that are missing from a feed that was read whole; `newly`: only since the last seven days; `removals`: how
 * many are staged to be deleted or marked; `removedBefore`: how many the runs of the last seven days have deleted or marked.
 */
export const noneMissing = { covered: 0, missing: 0, newly: 0, removals: 0, removedBefore: 0 };
export type Missing = typeof noneMissing;

/**
 * Counts the records that a feed does not have, and stages the removals that are due.
 * @param feed `covered`: the records that are missing if the feed lacks them; absent: it proves nothing. `deletions`: removals
 * staged for the source
 */
export async function stageMissing(
  run: string,
  { covered, deletions }: { covered: Covered | undefined; deletions: number },
  { sync, ledger }: Pick<RunContext, 'sync' | 'ledger'>,
): Promise<Missing> {
  if (!covered && deletions === 0) return noneMissing;
  const action = actionOf(sync);
  const due = covered && action ? await ledger.plans.stageMissing(run, sync.name, covered, action) : 0;
  const removals = deletions + due;
  const removedBefore = removals > 0 ? await ledger.plans.countRemoved(run, sync.name) : 0;
  const counted = await ledger.plans.countMissing(run, sync.name, covered ?? {});
  return { ...counted, ...(covered ? {} : { missing: deletions }), removals, removedBefore };
}

/** When events are those of which a source has to have all. */
interface Coverage extends DayRange {
  /** Events that are over by then are not: YYYY-MM-DDTHH:MM:SS by the site's clock. */
  now?: string;
}

/**
 * The events for which the feed of a sync is authoritative: those in its window, without those that are over unless the sync includes
 * the past. Of several sources, the days from the first to the last one of which any is authoritative.
 * @param now ms since 1970
 */
export function coveredBy({ window, missing, sources }: SyncConfig, { timezone }: TargetConfig, now: number): Coverage {
  const windows = sources?.map(({ sync }) => sync.window) ?? [window];
  const { from = '', to } = spanOf(windows.map((each) => windowDays(each, timezone, now)));
  if (missing.policy !== 'keep' && missing.includePast) return { ...(from && { from }), to };
  const clock = clockAt(now, timezone);
  // What began yesterday may end today.
  const yesterday = addDays(clock.slice(0, 10), -1);
  const beginsLater = from > yesterday;
  return { from: beginsLater ? from : yesterday, to, now: clock };
}

/** Whether a source with this coverage has to have an event. */
export function isCoveredBy({ now, ...days }: Coverage, event: Payload): boolean {
  return outside(days, event) === undefined && (now === undefined || !isOver(event, now));
}

/** The records for which the feed of a sync is authoritative now. */
export async function coveredRecords({
  sync,
  target,
  ledger,
  runtime,
}: Pick<RunContext, 'sync' | 'target' | 'ledger' | 'runtime'>): Promise<Covered> {
  const { now, ...days } = coveredBy(sync, target, runtime.now());
  if (now === undefined || sync.resource === 'accounts') return days;
  const ending = await ledger.plans.endingOn(sync.name, days.from ?? '', now.slice(0, 10));
  return { ...days, over: ending.flatMap(({ key, payload }) => (isOver(payload, now) ? [key] : [])) };
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
