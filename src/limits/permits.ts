import type { Logger } from 'pino';
import { partOfThisProcess } from '../ledger/database/lease-holder.ts';
import type { PermitStore } from '../ledger/target/permits.ts';

const BALANCE_MS = 500;
const IMPATIENT_BALANCE_MS = 50;
const LEASE_MS = 6_000;
const IDLE_MS = 50;

/** This process's part of the requests that a target may have in flight. */
export interface Permits {
  /**
   * Waits for a permit; call what it answers to give it back.
   * @throws the reason of the signal, or what keeps the ledger from answering
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** How many of this process's permits are in use. */
  inUse(): number;
  close(): Promise<void>;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Permits of all processes are shared in the ledger: a process leases as many as it had use for lately, if others leave
 * it so many, takes part in balancing them twice a second, and gives all back as soon as it is idle.
 * @param options `total`: how many the target has at present, over all processes; `background`: this one takes what the
 * others leave
 */
export function createPermits(
  store: PermitStore,
  options: { targetId: string; total: () => number; log: Logger; background: boolean },
): Permits {
  const { targetId, total, log, background } = options;
  const holder = partOfThisProcess();
  const waiting: Waiter[] = [];
  let granted = 0;
  let grantedUntil = 0;
  let inUse = 0;
  /** While the ledger is asked: what it was told is in use. */
  let ceiling: number | undefined;
  /** The most requests that were sent or wanted at once, since the last balance and in the time before that. */
  let peak = { now: 0, before: 0 };
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let isSharing = false;
  let balancing: Promise<void> | undefined;
  return { acquire, inUse: () => inUse, close };

  async function acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (waiting.length === 0 && isFree()) inUse += 1;
    else await turn(signal);
    notePeak();
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      inUse -= 1;
      handOut();
      if (inUse === 0) schedule(IDLE_MS);
    };
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const forget = () => signal?.removeEventListener('abort', onAbort);
      const waiter: Waiter = {
        resolve: () => {
          forget();
          resolve();
        },
        reject: (error) => {
          forget();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(waiter);
      notePeak();
      if (!balancing) schedule(isSharing ? IMPATIENT_BALANCE_MS : 0);
    });
  }

  function notePeak(): void {
    peak.now = Math.max(peak.now, inUse + waiting.length);
  }

  // A lease that lapsed may have been given to others already.
  function isFree(): boolean {
    return inUse < Math.min(ceiling ?? granted, total()) && performance.now() < grantedUntil;
  }

  function handOut(): void {
    while (waiting.length > 0 && isFree()) {
      inUse += 1;
      waiting.shift()?.resolve();
    }
  }

  /** Sees to it that the next balance is no later. */
  function schedule(afterMs: number): void {
    const at = performance.now() + afterMs;
    if (timer && at >= dueAt) return void timer.ref();
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      balancing = balance().finally(() => {
        balancing = undefined;
      });
    }, afterMs);
    // An idle process may end; its permits lapse.
    if (inUse + waiting.length === 0) timer.unref();
  }

  async function balance(): Promise<void> {
    if (inUse + waiting.length === 0) return giveBack();
    isSharing = true;
    ceiling = inUse;
    const wanted = Math.max(peak.now, peak.before);
    peak = { now: inUse + waiting.length, before: peak.now };
    try {
      const until = performance.now() + LEASE_MS;
      const request = { holder, inUse, wanted, total: total(), leaseMs: LEASE_MS, background };
      granted = await store.balance(targetId, request);
      grantedUntil = until;
    } catch (error) {
      log.warn({ err: error }, 'The ledger did not say how many requests may be sent.');
      for (const waiter of waiting.splice(0)) waiter.reject(error);
    }
    ceiling = undefined;
    handOut();
    schedule(waiting.length > 0 ? IMPATIENT_BALANCE_MS : BALANCE_MS);
  }

  async function giveBack(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isSharing = false;
    granted = 0;
    peak = { now: 0, before: 0 };
    await store.release(targetId, holder).catch((error: unknown) => {
      log.debug({ err: error }, 'Permits were not given back; their lease lapses.');
    });
    if (waiting.length > 0) schedule(0);
  }

  async function close(): Promise<void> {
    await balancing;
    if (isSharing) await giveBack();
  }
}
