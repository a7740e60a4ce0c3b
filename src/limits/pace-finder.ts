import type { Pace } from '../ledger/target/pace.ts';
import { failsTooOften, limitForRate, nextLimit } from './adaptive-limit.ts';
import { afterRefusal, nextRate } from './adaptive-rate.ts';
import { addRequest, openWindow, type SeenRequest } from './request-window.ts';

/** How long requests are observed, at least, before a change. */
const WINDOW_MS = 150;
const LONGEST_WINDOW_MS = 10_000;
/** A pace that was fine for this long is not the cause of a refusal. */
const LONG_MS = 10_000;
/** Time for other processes to follow a reduction. */
const SETTLING_MS = 300;
/** A second in tenths. */
const SLOT_MS = 100;
const SLOTS = 10;

/** The pace that all processes follow, as this process sees it. */
export interface ShownPace {
  pace: Pace;
  /** The ledger's clock, in ms since 1970. */
  now: number;
  /** The share of all requests that this process may send; 0 to 1. */
  share: number;
  /** Whether as many requests may be in flight as the pace allows: there was no pause shortly before. */
  isWhole: boolean;
  /** Since the last pause, in ms. */
  resumedForMs?: number | undefined;
}

/** Starts to measure the load of this process. The returned function returns the share of busy time: 0 to 1. */
export type MeasureLoad = () => () => number;

/**
 * Creates a finder of the pace of a target, which observes the requests of this process.
 * @param most maximum number of requests in flight
 */
export function createPaceFinder(most: number, measureLoad: MeasureLoad) {
  const accepted = createCounter();
  let followed: Pace | undefined;
  let window = openWindow(0);
  let lookAt = 0;
  let readLoad = measureLoad();
  return { see };

  /**
   * Returns another pace if the requests so far call for a change.
   * @param sentAt when the request was sent; times by the clock of this process, in ms
   */
  function see(request: SeenRequest & { sentAt: number }, shown: ShownPace): Pace | undefined {
    const { endedAt, health } = request;
    if (health === 'well' || health === 'unwell') accepted.add(endedAt);
    if (shown.pace.changedAt !== followed?.changedAt) follow(shown.pace, followed ? endedAt : request.sentAt);
    if (request.sentAt < window.since) return undefined;
    addRequest(window, request);
    if (health === 'busy') return refused(shown, endedAt);
    if (endedAt < lookAt && !(health === 'unwell' && failsTooOften(window, shown.pace))) return undefined;
    lookAt = endedAt + WINDOW_MS;
    return decide(shown, endedAt);
  }

  function follow(pace: Pace, at: number): void {
    const isLower = followed !== undefined && pace.limit < followed.limit;
    followed = pace;
    restart(isLower ? at + SETTLING_MS : at);
  }

  function restart(at: number): void {
    window = openWindow(at);
    readLoad = measureLoad();
    lookAt = at + WINDOW_MS;
  }

  function refused({ pace, now, share, resumedForMs = Infinity }: ShownPace, at: number): Pace | undefined {
    const seen = window;
    restart(at);
    // A refusal after a long time may have any cause, and the pause that follows it suffices.
    const sendingMs = pace.perSecond === undefined ? resumedForMs : Math.min(resumedForMs, now - pace.changedAt);
    if (sendingMs > LONG_MS || now < (pace.unlimitedUntil ?? 0)) return undefined;
    const acceptedByAll = accepted.inSecondBefore(at) / Math.max(share, 0.01);
    return limitForRate(afterRefusal(pace, { accepted: acceptedByAll, sendingMs }, now), seen, now);
  }

  function decide({ pace, now, isWhole }: ShownPace, at: number): Pace | undefined {
    const seen = isWhole ? window : { ...window, full: 0 };
    const limited = nextLimit(pace, seen, { now, most, load: readLoad() });
    const next = nextRate(limited ?? pace, window, now);
    if (limited || next !== pace || at - window.since > LONGEST_WINDOW_MS) restart(at);
    return JSON.stringify(next) === JSON.stringify(pace) ? undefined : next;
  }
}

/** Counts events in the last second. */
function createCounter() {
  /** Number of each tenth of a second → count, oldest first. */
  const counts = new Map<number, number>();
  return { add, inSecondBefore };

  function add(at: number): void {
    const slot = Math.floor(at / SLOT_MS);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
    for (const old of counts.keys()) {
      if (slot - old < SLOTS) break;
      counts.delete(old);
    }
  }

  function inSecondBefore(at: number): number {
    const last = Math.floor(at / SLOT_MS);
    return [...counts].reduce((sum, [slot, count]) => (last - slot < SLOTS ? sum + count : sum), 0);
  }
}
