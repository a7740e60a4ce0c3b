import type { Health } from '../core/gate.ts';
import type { Pace } from '../ledger/target/target-state.ts';
import {
  afterRefusal,
  afterWindow,
  ENOUGH_REQUESTS,
  FEWEST_REQUESTS,
  LONG_MS,
  openWindow,
  type RequestWindow,
} from './next-pace.ts';

/** How long requests are observed, at least, before a change. */
const WINDOW_MS = 150;

/** How a request ended. Times in ms by the clock of this process. */
export interface SeenRequest {
  sentAt: number;
  endedAt: number;
  health: Health;
  operation?: string;
  /** Time from sending the request to the end of the response; absent: the request says nothing about the load of the target. */
  tookMs?: number;
  /** Whether all requests that this process may have in flight were in flight. */
  isFull: boolean;
  /** Whether the next request had to wait only because of the rate. */
  isPaced: boolean;
}

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
 * Creates a finder of the pace of a target, which observes the requests of this process: more requests while responses are quick,
 * fewer once they wait, fail or are refused.
 * @param most maximum number of requests in flight
 */
export function createPaceFinder(most: number, measureLoad: MeasureLoad) {
  let window = openWindow(0);
  let readLoad = measureLoad();
  let followed: number | undefined;
  /** When requests of the last second were accepted. */
  const accepted: number[] = [];
  /** The refusals of the last seconds, and how many requests were accepted in the second before each, over all processes. */
  let refusals: Array<{ at: number; accepted: number }> = [];
  return { see };

  /** Returns another pace if the requests so far call for a change. */
  function see(request: SeenRequest, shown: ShownPace): Pace | undefined {
    const { endedAt, health } = request;
    if (health === 'unknown' || health === 'closed') return undefined;
    if (health !== 'busy') accepted.push(endedAt);
    while ((accepted[0] ?? endedAt) <= endedAt - 1000) accepted.shift();
    if (shown.pace.changedAt !== followed) {
      restart(followed === undefined ? request.sentAt : endedAt);
      followed = shown.pace.changedAt;
    }
    if (request.sentAt < window.since) return undefined;
    if (health === 'busy') return refused(shown, endedAt);
    addRequest(window, request, shown);
    if (endedAt - window.since < WINDOW_MS || window.count < Math.max(FEWEST_REQUESTS, shown.pace.limit)) {
      return undefined;
    }
    const next = afterWindow(shown.pace, window, { now: shown.now, most, load: readLoad() });
    if (next !== shown.pace || window.count > ENOUGH_REQUESTS) restart(endedAt);
    return next === shown.pace ? undefined : { ...next, changedAt: shown.now };
  }

  function restart(at: number): void {
    window = openWindow(at);
    readLoad = measureLoad();
  }

  function refused({ pace, now, share, resumedForMs = Number.POSITIVE_INFINITY }: ShownPace, at: number) {
    restart(at);
    const sendingMs = pace.perSecond === undefined ? resumedForMs : Math.min(resumedForMs, now - pace.changedAt);
    refusals = refusals.filter((refusal) => refusal.at > at - LONG_MS);
    refusals.push({ at, accepted: accepted.length / Math.max(share, 0.01) });
    // One by itself may come at any rate.
    if (refusals.length < 2) return undefined;
    const next = afterRefusal(pace, { accepted: Math.max(...refusals.map((each) => each.accepted)), sendingMs }, now);
    return next === pace ? undefined : { ...next, changedAt: sendingMs > LONG_MS ? pace.changedAt : now };
  }
}

function addRequest(window: RequestWindow, request: SeenRequest, { isWhole }: ShownPace): void {
  const { health, operation, tookMs, isFull, isPaced } = request;
  window.count += 1;
  if (isFull && isWhole) window.full += 1;
  if (isPaced) window.paced += 1;
  if (health === 'unwell') window.failures += 1;
  else if (operation !== undefined && tookMs !== undefined) {
    window.tookMs.set(operation, [...(window.tookMs.get(operation) ?? []), tookMs]);
  }
}
