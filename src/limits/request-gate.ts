import type { Logger } from 'pino';
import type { TargetConfig } from '../config/types.ts';
import type { Passage, RequestEnd } from '../core/gate.ts';
import { type Runtime, systemRuntime } from '../core/runtime/runtime.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createCircuit, type Patience } from './circuit-breaker.ts';
import { hashCredentials } from './look-at-target.ts';
import { createPermits, type Release } from './permits.ts';
import { createSharedPace } from './shared-pace.ts';
import { createTargetView } from './target-view.ts';

/** Deliveries keep their claims while they wait, so they wait briefly. */
const DELIVERY: Patience = { waitMs: 5_000, knock: [] };
/** The first request of a run tests whether the CMS has recovered. */
const CHECK: Patience = { waitMs: 60_000, knock: ['unwell'] };
/** An operator who examines the CMS may also end a pause that it asked for. */
const EXAMINATION: Patience = { waitMs: 60_000, knock: ['unwell', 'busy'] };
/** How long after its permission a request leaves this process, at most. */
const SENDING_MS = 10;
const UNKNOWN: RequestEnd = { health: 'unknown' };

/** The gates to one target: its limits, pauses and stops hold over all processes that share the ledger. */
export type Gates = ReturnType<typeof createGates>;

/**
 * Creates the gates to one target.
 * @param options `targetId` names the site in the ledger
 */
export function createGates(
  { targets }: Pick<Ledger, 'targets'>,
  options: { targetId: string; target: TargetConfig; log: Logger; runtime?: Runtime },
) {
  const { targetId, target, log, runtime = systemRuntime } = options;
  const view = createTargetView(targets, targetId, runtime);
  const circuit = createCircuit(targets, view, {
    ...{ targetId, policy: target, log, runtime },
    credentials: hashCredentials(target),
  });
  const pace = target.adaptsConcurrency
    ? createSharedPace(view, { most: target.concurrency, log, runtime })
    : undefined;
  const limit = () => pace?.limit() ?? target.concurrency;
  const inFlight = createPermits(view, {
    ...{ limit: 'inFlight', periodMs: 0, log, runtime },
    total: () => circuit.slowStart(limit()),
    intervalMs: pace?.intervalMs,
  });
  const rate = target.requestsPerSecond === undefined ? undefined : rateOf(target.requestsPerSecond);
  const turns = rate && createPermits(view, { limit: 'rate', ...rate, log, runtime });
  return {
    /** For requests that can be repeated later. */
    deliveries: { enter: (signal?: AbortSignal) => enter(DELIVERY, signal) },
    /** For the request that tests whether the CMS is available. */
    checks: { enter: (signal?: AbortSignal) => enter(CHECK, signal) },
    /** For the requests of `doctor`. */
    examinations: { enter: (signal?: AbortSignal) => enter(EXAMINATION, signal) },
    /** Requests of this process that are in flight. */
    inFlight: inFlight.inUse,
    async close() {
      await inFlight.close();
      await turns?.close();
      await pace?.close();
    },
  };

  async function enter(patience: Patience, signal?: AbortSignal): Promise<Passage> {
    for (;;) {
      const entry = await circuit.enter(patience, signal);
      let release: Release | undefined;
      let releaseTurn: Release | undefined;
      let sentAt = 0;
      const leave = async (end: RequestEnd) => {
        learn(sentAt, end);
        const isHealthy = end.health === 'well' && !entry.isProbe;
        if (isHealthy) release?.();
        await circuit.leave(entry, end);
        // Waiting requests may not be sent before they can see that the target is paused or stopped.
        if (!isHealthy) release?.();
      };
      try {
        release = await inFlight.acquire(signal);
        releaseTurn = await turns?.acquire(signal);
        // The target may have been paused or stopped while this request waited.
        if (await circuit.isOpenTo(entry)) {
          releaseTurn?.(rate?.periodMs);
          sentAt = runtime.monotonic();
          return { leave };
        }
      } catch (error) {
        releaseTurn?.();
        await leave(UNKNOWN);
        throw error;
      }
      releaseTurn?.();
      await leave(UNKNOWN);
    }
  }

  function learn(sentAt: number, end: RequestEnd): void {
    if (!pace || end.health === 'unknown') return;
    const isWhole = circuit.slowStart(limit()) === limit();
    // Any pause that the target asks for is a refusal, also for the circuit breaker.
    const health = end.retryAfterMs === undefined ? end.health : 'busy';
    pace.see({ ...end, health, sentAt, endedAt: runtime.monotonic(), isWhole, ...inFlight.use() });
  }
}

/** Returns the limit on the rate in whole requests: 2.5 a second are 2 in any 0.8 s, 0.5 a second are 1 in any 2 s. */
function rateOf(requestsPerSecond: number): { total: () => number; periodMs: number } {
  const requests = Math.max(1, Math.floor(requestsPerSecond));
  return { total: () => requests, periodMs: (1000 * requests) / requestsPerSecond + SENDING_MS };
}
