import type { Logger } from 'pino';
import type { Runtime } from '../core/runtime/runtime.ts';
import type { Pace } from '../ledger/target/target-state.ts';
import { FIRST_PACE } from './next-pace.ts';
import { createPaceFinder, type SeenRequest, type ShownPace } from './pace-finder.ts';
import type { TargetView } from './target-view.ts';

/** What the permits of this process add to what was seen of a request. */
export type SharedRequest = SeenRequest & Pick<ShownPace, 'share' | 'isWhole'>;

/**
 * Creates the pace of a target, one for all processes: each process changes it in the ledger when its own requests call for a
 * change, a few times a second at most.
 * @param most maximum number of requests in flight
 */
export function createSharedPace(
  view: TargetView,
  { most, log, runtime }: { most: number; log: Logger; runtime: Pick<Runtime, 'measureLoad'> },
) {
  const finder = createPaceFinder(most, runtime.measureLoad);
  let known = FIRST_PACE;
  let changing: Promise<void> | undefined;
  return { limit, intervalMs, see, close: async () => changing };

  /** Returns the last pace seen by this process. */
  function current(): Pace {
    const pace = view.last()?.pace ?? known;
    // Another process, or an earlier one, may be allowed more requests in flight.
    known = pace.limit > most ? { ...pace, limit: most } : pace;
    return known;
  }

  /** Returns how many requests may be in flight, over all processes. */
  function limit(): number {
    return current().limit;
  }

  /** Returns the time between two requests, over all processes, in ms. */
  function intervalMs(): number {
    const { perSecond } = current();
    return perSecond === undefined ? 0 : 1000 / perSecond;
  }

  /** Learns from an ended request. */
  function see(request: SharedRequest): void {
    const seen = view.last();
    if (!seen || changing) return;
    const { share, isWhole } = request;
    const next = finder.see(request, {
      ...{ pace: current(), now: Math.round(view.ledgerTime(seen)), share, isWhole },
      resumedForMs: seen.resumedForMs === undefined ? undefined : seen.resumedForMs + request.endedAt - seen.readAt,
    });
    if (next) changing = change(seen.pace, next);
  }

  async function change(before: Pace | undefined, next: Pace): Promise<void> {
    try {
      await view.replacePace(before, next);
      log.debug({ ...next }, 'The pace of requests to the CMS has changed.');
    } catch (error) {
      log.warn({ err: error }, 'The ledger did not record how many requests the CMS takes.');
    } finally {
      changing = undefined;
    }
  }
}
