import type { Logger } from 'pino';
import type { TargetConfig } from '../config/types.ts';
import type { Passage, RequestEnd } from '../core/gate.ts';
import { sha256 } from '../core/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createCircuit, type Patience } from './circuit-breaker.ts';
import { rateOf } from './pace.ts';
import { createPermits, type Permit } from './permits.ts';
import { createTargetView } from './target-view.ts';

/** Deliveries keep their claims while they wait, so they wait briefly. */
const DELIVERY: Patience = { waitMs: 5_000, knock: false };
/** The first request of a run tests whether the CMS has recovered. */
const CHECK: Patience = { waitMs: 60_000, knock: true };
const UNKNOWN: RequestEnd = { health: 'unknown' };

/** The gates to one target: its limits, pauses and stops hold over all processes that share the ledger. */
export type Gates = ReturnType<typeof createGates>;

/**
 * @param options `targetId` names the site in the ledger; `background`: this process takes what others leave of the requests
 * that may be sent
 */
export function createGates(
  { targets }: Pick<Ledger, 'targets'>,
  options: { targetId: string; target: TargetConfig; log: Logger; background?: boolean },
) {
  const { targetId, target, log, background = false } = options;
  const credentials = sha256(`${target.baseUrl}\n${target.token}`).slice(0, 16);
  const view = createTargetView(targets, targetId);
  const circuit = createCircuit(targets, view, { targetId, credentials, policy: target, log });
  const permits = createPermits(view, {
    inFlight: () => circuit.slowStart(target.concurrency),
    rate: target.requestsPerSecond === undefined ? undefined : rateOf(target.requestsPerSecond),
    background,
    log,
  });
  return {
    /** For requests that can be repeated later. */
    deliveries: { enter: (signal?: AbortSignal) => enter(DELIVERY, signal) },
    /** For the request that tests whether the CMS is available. */
    checks: { enter: (signal?: AbortSignal) => enter(CHECK, signal) },
    /** Requests of this process that are in flight. */
    inFlight: permits.inUse,
    state,
    close: permits.close,
  };

  /** Whether the target accepts requests, as all processes see it. */
  async function state(): Promise<'open' | 'paused' | 'stopped'> {
    const { stop, pause } = await targets.look(targetId);
    // The target may accept other credentials.
    if (stop?.credentials === credentials) return 'stopped';
    return pause ? 'paused' : 'open';
  }

  async function enter(patience: Patience, signal?: AbortSignal): Promise<Passage> {
    for (;;) {
      const entry = await circuit.enter(patience, signal);
      let permit: Permit | undefined;
      const leave = async (end: RequestEnd) => {
        permit?.release();
        await circuit.leave(entry, end);
      };
      try {
        permit = await permits.acquire(signal);
        // The target may have been paused or stopped while this request waited.
        if (await circuit.isOpenTo(entry)) {
          permit.use();
          return { leave };
        }
      } catch (error) {
        await leave(UNKNOWN);
        throw error;
      }
      await leave(UNKNOWN);
    }
  }
}
