import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type RequestEnd, TargetPausedError, TargetStoppedError } from '../core/gate.ts';
import { type RetryPolicy, retryDelay } from '../core/retry.ts';
import { partOfThisProcess } from '../ledger/database/lease-holder.ts';
import type { PauseReason, TargetState, TargetStore } from '../ledger/target/target-state.ts';

/** How old the news may be that the target is well. */
const FRESH_MS = 100;
/** Requests in a row that the target fails to answer as it should, before it gets a pause. */
const FAILURES = 5;
/** It may be well again earlier than expected. */
const LONGEST_SLEEP_MS = 1_000;
/** Who keeps asking for pauses is alive, but for ever is too long. */
const BUSY_PAUSES = 20;
const PROBE_LEASE_MS = 60_000;
/** After a pause one request at a time, then twice as many with every step. */
const SLOW_START_STEP_MS = 500;

/** How a request deals with a target that is paused or stopped. */
export interface Patience {
  /** How long it waits. */
  waitMs: number;
  /** Whether it may find out at once if things are better, instead of waiting for the time to do so. */
  knock: boolean;
}

/** What a request was let through for. */
export interface Entry {
  epoch: number;
  isProbe: boolean;
}

/** Pauses, probes and stops a target for all processes, by how requests end. */
export interface Circuit {
  /** @throws DestinationPausedError, DestinationStoppedError, the reason of the signal */
  enter(patience: Patience, signal?: AbortSignal): Promise<Entry>;
  /** Whether things are still as they were when the entry was given. */
  isOpenTo(entry: Entry): Promise<boolean>;
  leave(entry: Entry, end: RequestEnd): Promise<void>;
  /** How many of the permits the target gets so shortly after a pause. */
  slowStart(total: number): number;
}

export interface CircuitOptions {
  targetId: string;
  /** Hash of the credentials: others may be welcome where these are not. */
  credentials: string;
  policy: RetryPolicy;
  log: Logger;
}

export function createCircuit(store: TargetStore, options: CircuitOptions): Circuit {
  const { targetId, credentials, policy, log } = options;
  let known: { state: TargetState; at: number } | undefined;
  let looking: Promise<TargetState> | undefined;
  let failures = 0;
  const holder = partOfThisProcess();
  return { enter, isOpenTo, leave, slowStart };

  async function enter(patience: Patience, signal?: AbortSignal): Promise<Entry> {
    const deadline = performance.now() + patience.waitMs;
    for (;;) {
      signal?.throwIfAborted();
      const state = await look();
      const { epoch } = state;
      if (isOpen(state)) return { epoch, isProbe: false };
      if (!patience.knock) refuse(state);
      if (mayProbe(state, patience) && (await store.probe(targetId, epoch, { holder, leaseMs: PROBE_LEASE_MS }))) {
        return { epoch, isProbe: true };
      }
      const waitMs = Math.max(FRESH_MS, state.pause?.forMs ?? 0);
      if (performance.now() + waitMs > deadline) throw new TargetPausedError(waitMs, reasonOf(state));
      await sleep(Math.min(waitMs, LONGEST_SLEEP_MS), undefined, signal ? { signal } : {});
      known = undefined;
    }
  }

  /** @throws DestinationStoppedError where waiting does not help */
  function refuse({ stop, pause }: TargetState): void {
    if (stop?.credentials === credentials) throw new TargetStoppedError(stop.code, stop.reason);
    if (pause && pause.count >= (pause.reason === 'busy' ? BUSY_PAUSES : policy.maxAttempts)) {
      const reason = `The CMS has not been well for ${pause.count} pauses in a row; what is left waits for the next run.`;
      throw new TargetStoppedError('FF_CMS_UNAVAILABLE', reason);
    }
  }

  function mayProbe({ pause, stop }: TargetState, { knock }: Patience): boolean {
    if (!pause || pause.forMs <= 0) return knock || stop?.credentials !== credentials;
    return knock && pause.reason === 'unwell';
  }

  async function isOpenTo(entry: Entry): Promise<boolean> {
    return entry.isProbe || (await look()).epoch === entry.epoch;
  }

  async function leave(entry: Entry, end: RequestEnd): Promise<void> {
    try {
      await judge(entry, end);
    } catch (error) {
      log.warn({ err: error }, 'The ledger did not note how a request ended.');
    }
  }

  async function judge({ epoch, isProbe }: Entry, { health, error, retryAfterMs }: RequestEnd): Promise<void> {
    if (health === 'unknown') return isProbe ? note(store.endProbe(targetId, epoch)) : undefined;
    if (health === 'well') {
      failures = 0;
      return isProbe ? note(store.resume(targetId, epoch)) : undefined;
    }
    if (health === 'closed' && error) {
      log.error({ code: error.code }, 'The CMS takes no requests; nothing more is sent until that is mended.');
      return note(store.stop(targetId, epoch, { credentials, code: error.code, reason: error.message }));
    }
    if (health === 'busy' || retryAfterMs !== undefined) return pause(epoch, 'busy', retryAfterMs);
    if (known?.state.epoch === epoch) failures += 1;
    if (isProbe || failures >= FAILURES) return pause(epoch, 'unwell');
  }

  async function pause(epoch: number, reason: PauseReason, askedMs?: number): Promise<void> {
    failures = 0;
    const before = known?.state.pause?.count ?? 0;
    const forMs = askedMs ?? retryDelay(before + 1, policy);
    log.warn({ forMs: Math.round(forMs), reason }, 'The CMS gets a pause.');
    await note(store.pause(targetId, epoch, { forMs, reason }));
  }

  async function note(change: Promise<void>): Promise<void> {
    await change;
    known = undefined;
  }

  async function look(): Promise<TargetState> {
    if (known && isOpen(known.state) && performance.now() - known.at < FRESH_MS) return known.state;
    looking ??= store.look(targetId).finally(() => {
      looking = undefined;
    });
    const at = performance.now();
    const state = await looking;
    if (known && known.state.epoch !== state.epoch) failures = 0;
    known = { state, at };
    return state;
  }

  function slowStart(total: number): number {
    if (known?.state.resumedForMs === undefined) return total;
    const resumedForMs = known.state.resumedForMs + performance.now() - known.at;
    return Math.min(total, 2 ** Math.floor(resumedForMs / SLOW_START_STEP_MS));
  }
}

function isOpen({ pause, stop }: TargetState): boolean {
  return !pause && !stop;
}

function reasonOf({ stop, pause }: TargetState): string {
  if (stop) return stop.reason;
  return pause?.reason === 'busy' ? 'it asked for a pause' : 'it did not answer as it should';
}
