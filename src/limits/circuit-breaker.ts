import type { Logger } from 'pino';
import type { CodedError } from '../core/errors.ts';
import { type RequestEnd, TargetPausedError, TargetStoppedError } from '../core/gate.ts';
import { type RetryPolicy, retryDelay } from '../core/retry.ts';
import { partOfProcess, type Runtime } from '../core/runtime/runtime.ts';
import type { PauseReason, TargetState, TargetStore } from '../ledger/target/target-state.ts';
import { isOpen, type TargetView } from './target-view.ts';
import { createTroubleLog } from './trouble-log.ts';

/** Failed requests in a row before the target is paused. */
const FAILURES = 5;
/** Pauses may be ended early. No process checks this more often. */
const SHORTEST_SLEEP_MS = 100;
const LONGEST_SLEEP_MS = 1_000;
/** A target that keeps asking for pauses still works, but is given up after this many. */
const BUSY_PAUSES = 20;
const PROBE_LEASE_MS = 60_000;
/** After a pause, one request may be in flight at first, and twice as many after each step of this length. */
const SLOW_START_STEP_MS = 500;

export const pauseReasons: Readonly<Record<PauseReason, string>> = {
  busy: 'it asked for a pause',
  unwell: 'its last requests failed',
};

/** How a request treats a paused or stopped target. */
export interface Patience {
  /** How long the request waits. */
  waitMs: number;
  /** The pauses during which the request may test the target at once, instead of waiting for their end. */
  knock: readonly PauseReason[];
}

/** The conditions under which a request was let through. */
export interface Entry {
  epoch: number;
  isProbe: boolean;
}

export interface CircuitOptions {
  targetId: string;
  /** Hash of the credentials: the target may accept others when it refuses these. */
  credentials: string;
  policy: RetryPolicy;
  log: Logger;
  runtime: Runtime;
}

/** Creates the circuit breaker of a target: it pauses, tests and stops the target for all processes. */
export function createCircuit(store: TargetStore, view: TargetView, options: CircuitOptions) {
  const { targetId, credentials, policy, log, runtime } = options;
  const holder = partOfProcess(runtime);
  const trouble = createTroubleLog(log, runtime);
  let failures = { epoch: 0, count: 0 };
  return { enter, isOpenTo, leave, slowStart };

  /** @throws TargetPausedError, TargetStoppedError, the reason of the signal */
  async function enter(patience: Patience, signal?: AbortSignal): Promise<Entry> {
    const deadline = runtime.monotonic() + patience.waitMs;
    for (;;) {
      signal?.throwIfAborted();
      const state = await view.look();
      const { epoch } = state;
      if (isOpen(state)) {
        trouble.end();
        return { epoch, isProbe: false };
      }
      // A stop may have been caused by other credentials.
      if (!state.stop || state.stop.credentials === credentials) trouble.begin(state);
      if (patience.knock.length === 0) refuse(state);
      if (mayProbe(state, patience) && (await store.probe(targetId, epoch, { holder, leaseMs: PROBE_LEASE_MS }))) {
        return { epoch, isProbe: true };
      }
      const waitMs = Math.max(SHORTEST_SLEEP_MS, state.pause?.forMs ?? 0);
      if (runtime.monotonic() + waitMs > deadline) throw new TargetPausedError(waitMs, reasonOf(state));
      await runtime.sleep(Math.min(waitMs, LONGEST_SLEEP_MS), { signal });
    }
  }

  /** Refuses a request for which waiting does not help. @throws TargetStoppedError */
  function refuse({ stop, pause }: TargetState): void {
    if (stop?.credentials === credentials) throw new TargetStoppedError(stop.code, stop.reason);
    if (pause && pause.count >= (pause.reason === 'busy' ? BUSY_PAUSES : policy.maxAttempts)) {
      const reason = `The CMS has not recovered after ${pause.count} pauses in a row. The remaining records wait for the next run.`;
      throw new TargetStoppedError('FF_CMS_UNAVAILABLE', reason);
    }
  }

  function mayProbe({ pause, stop }: TargetState, { knock }: Patience): boolean {
    if (!pause || pause.forMs <= 0) return knock.length > 0 || stop?.credentials !== credentials;
    return knock.includes(pause.reason);
  }

  /** Whether the target has not been paused or stopped since the request was let through. */
  async function isOpenTo({ epoch, isProbe }: Entry): Promise<boolean> {
    return isProbe || (await view.look()).epoch === epoch;
  }

  async function leave(entry: Entry, end: RequestEnd): Promise<void> {
    try {
      await judge(entry, end);
    } catch (error) {
      log.warn({ err: error }, 'The ledger did not record how a request to the CMS ended.');
    }
  }

  async function judge({ epoch, isProbe }: Entry, { health, error, retryAfterMs }: RequestEnd): Promise<void> {
    if (health === 'unknown') return isProbe ? change(store.endProbe(targetId, epoch)) : undefined;
    if (health === 'well') {
      failures.count = 0;
      if (!isProbe) return;
      trouble.end(view.last());
      return change(store.resume(targetId, epoch));
    }
    if (health === 'closed' && error) {
      const stop = { credentials, code: error.code, reason: error.message };
      trouble.begin({ stop });
      return change(store.stop(targetId, epoch, stop));
    }
    if (health === 'busy' || retryAfterMs !== undefined) return pause(epoch, 'busy', { askedMs: retryAfterMs });
    if (isProbe || hasFailedTooOften(epoch)) return pause(epoch, 'unwell', { error });
  }

  /** Counts a failure, unless the target was paused or stopped since its request was sent. */
  function hasFailedTooOften(epoch: number): boolean {
    if (view.last()?.epoch !== epoch) return false;
    failures = { epoch, count: failures.epoch === epoch ? failures.count + 1 : 1 };
    return failures.count >= FAILURES;
  }

  async function pause(
    epoch: number,
    reason: PauseReason,
    { askedMs, error }: { askedMs?: number; error?: CodedError },
  ): Promise<void> {
    const before = view.last()?.pause?.count ?? 0;
    const forMs = askedMs ?? retryDelay(before + 1, policy, runtime);
    log.debug({ forMs: Math.round(forMs), reason }, 'Requests to the CMS are paused.');
    trouble.begin({ pause: { forMs, reason, count: before + 1 } }, error);
    await change(store.pause(targetId, epoch, { forMs, reason }));
  }

  async function change(written: Promise<void>): Promise<void> {
    await written;
    view.forget();
  }

  /** Returns how many requests may be in flight: fewer than `total` shortly after a pause. */
  function slowStart(total: number): number {
    const state = view.last();
    if (state?.resumedForMs === undefined) return total;
    const resumedForMs = state.resumedForMs + runtime.monotonic() - state.readAt;
    // Negative if the clock has gone back: then the time since the pause is unknown.
    return resumedForMs < 0 ? total : Math.min(total, 2 ** Math.floor(resumedForMs / SLOW_START_STEP_MS));
  }
}

function reasonOf({ stop, pause }: TargetState): string {
  if (stop) return stop.reason;
  return pauseReasons[pause?.reason ?? 'unwell'];
}
