import type { Health } from '../core/gate.ts';

/** How a request ended. Times in ms by the clock of this process. */
export interface SeenRequest {
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

/** The requests under one pace that this process has observed. */
export type RequestWindow = ReturnType<typeof openWindow>;

/** Maximum number of times kept for one operation: more times would not improve the result. */
const MOST_TIMES = 256;

/** @param since beginning of the window, in ms */
export function openWindow(since: number) {
  return { since, tookMs: new Map<string, number[]>(), count: 0, failures: 0, refused: 0, full: 0, paced: 0 };
}

export function addRequest(window: RequestWindow, request: SeenRequest): void {
  const { health, operation, tookMs } = request;
  if (health === 'unknown' || health === 'closed') return;
  window.count += 1;
  if (request.isFull) window.full += 1;
  if (request.isPaced) window.paced += 1;
  if (health === 'busy') window.refused += 1;
  else if (health === 'unwell') window.failures += 1;
  else if (operation !== undefined && tookMs !== undefined) addTime(window.tookMs, operation, tookMs);
}

function addTime(times: RequestWindow['tookMs'], operation: string, tookMs: number): void {
  const known = times.get(operation);
  if (!known) times.set(operation, [tookMs]);
  else if (known.length < MOST_TIMES) known.push(tookMs);
}
