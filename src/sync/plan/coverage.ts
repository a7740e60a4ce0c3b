import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { addDays, clockAt, type DayRange } from '../../core/dates/iso-date.ts';
import type { Payload } from '../../core/record.ts';
import type { Covered } from '../../ledger/plans/missing-records.ts';
import { isOver, outside, spanOf, windowDays } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';

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
  const { now, ...covered } = coveredBy(sync, target, runtime.now());
  const days = { ...covered, withoutFormer: !sync.sources };
  if (now === undefined || sync.resource === 'accounts') return days;
  const ending = await ledger.plans.endingOn(sync.name, days.from ?? '', now.slice(0, 10));
  return { ...days, over: ending.flatMap(({ key, payload }) => (isOver(payload, now) ? [key] : [])) };
}
