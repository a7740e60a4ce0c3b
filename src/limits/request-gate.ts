import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TargetConfig } from '../config/types.ts';
import type { Gate, Passage, RequestEnd } from '../core/gate.ts';
import { sha256 } from '../core/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createCircuit, type Entry, type Patience } from './circuit-breaker.ts';
import { createPermits } from './permits.ts';

/** A delivery holds its records while it waits; so not for long. */
const DELIVERY: Patience = { waitMs: 5_000, knock: false };
/** The first request of a run finds out whether the CMS is well again. */
const CHECK: Patience = { waitMs: 60_000, knock: true };
const UNKNOWN: RequestEnd = { health: 'unknown' };
/** A request that is later than its slot would meet those of later slots: it takes another. */
const LATEST_MS = 50;
/** Slots are so much further apart that late requests do not add up to more than the limit in any second. */
const SLACK = 1.06;

/** The gates to one target: its limits, pauses and stops hold over all processes that share the ledger. */
export interface Gates {
  /** For what can come back later. */
  deliveries: Gate;
  /** For the request that finds out whether the CMS can be reached. */
  checks: Gate;
  /** Requests of this process that are in flight. */
  inFlight(): number;
  /** Whether the target takes requests, as all processes see it. */
  state(): Promise<'open' | 'paused' | 'stopped'>;
  close(): Promise<void>;
}

/**
 * @param options `target` names the site in the ledger; `background`: this process takes what others leave of its
 * requests in flight
 */
export function createGates(
  { targets, permits: permitStore }: Pick<Ledger, 'targets' | 'permits'>,
  options: { targetId: string; target: TargetConfig; log: Logger; background?: boolean },
): Gates {
  const { targetId, target, log, background = false } = options;
  const credentials = sha256(`${target.baseUrl}\n${target.token}`).slice(0, 16);
  const circuit = createCircuit(targets, { targetId, credentials, policy: target, log });
  const total = () => circuit.slowStart(target.concurrency);
  const permits = createPermits(permitStore, { targetId, total, log, background });
  return {
    deliveries: { enter: (signal) => enter(DELIVERY, signal) },
    checks: { enter: (signal) => enter(CHECK, signal) },
    inFlight: permits.inUse,
    state,
    close: permits.close,
  };

  async function state(): Promise<'open' | 'paused' | 'stopped'> {
    const { stop, pause } = await targets.look(targetId);
    // Others may be welcome with credentials of their own.
    if (stop?.credentials === credentials) return 'stopped';
    return pause ? 'paused' : 'open';
  }

  async function enter(patience: Patience, signal?: AbortSignal): Promise<Passage> {
    for (;;) {
      const entry = await circuit.enter(patience, signal);
      let release: (() => void) | undefined;
      try {
        release = await permits.acquire(signal);
        if (await inTurn(entry, signal)) return passage(release, entry);
      } catch (error) {
        await passage(release, entry).leave(UNKNOWN);
        throw error;
      }
      await passage(release, entry).leave(UNKNOWN);
    }
  }

  function passage(release: (() => void) | undefined, entry: Entry): Passage {
    return {
      async leave(end) {
        release?.();
        await circuit.leave(entry, end);
      },
    };
  }

  /** Waits for a slot; false where the target was paused or stopped meanwhile. */
  async function inTurn(entry: Entry, signal?: AbortSignal): Promise<boolean> {
    for (;;) {
      const slot = await nextSlot(signal);
      if (!(await circuit.isOpenTo(entry))) return false;
      if (performance.now() - slot <= LATEST_MS) return true;
    }
  }

  async function nextSlot(signal?: AbortSignal): Promise<number> {
    const { requestsPerSecond } = target;
    if (requestsPerSecond === undefined) return performance.now();
    const waitMs = await targets.reserve(targetId, (1000 * SLACK) / requestsPerSecond);
    const slot = performance.now() + waitMs;
    if (waitMs > 0) await sleep(waitMs, undefined, signal ? { signal } : {});
    return slot;
  }
}
