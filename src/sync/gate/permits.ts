import type { Logger } from 'pino';
import { partOfThisProcess } from '../../ledger/holder.ts';
import type { PermitStore } from '../../ledger/permits.ts';

const BALANCE_MS = 500;
const IMPATIENT_BALANCE_MS = 50;
const LEASE_MS = 6_000;
const IDLE_BALANCES = 4;

/** This process's part of the requests that a destination may have in flight. */
export interface Permits {
  /**
   * Waits for a permit; call what it answers to give it back.
   * @throws the reason of the signal, or what keeps the ledger from answering
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
  close(): Promise<void>;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Permits of all processes are shared in the ledger: a process leases some while it has requests to send, takes part in
 * balancing them twice a second, and gives all back when it has been idle for a while.
 * @param total how many the destination has at present, over all processes
 */
export function createPermits(
  store: PermitStore,
  { destination, total, log }: { destination: string; total: () => number; log: Logger },
): Permits {
  const holder = partOfThisProcess();
  const waiting: Waiter[] = [];
  let granted = 0;
  let grantedUntil = 0;
  let inUse = 0;
  /** While the ledger is asked: what it was told is in use. */
  let ceiling: number | undefined;
  let idle = 0;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let isSharing = false;
  let balancing: Promise<void> | undefined;
  return { acquire, close };

  async function acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    idle = 0;
    if (waiting.length === 0 && isFree()) inUse += 1;
    else await turn(signal);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      inUse -= 1;
      handOut();
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
      if (!balancing) schedule(isSharing ? IMPATIENT_BALANCE_MS : 0);
    });
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
    const demand = inUse + waiting.length;
    idle = demand === 0 ? idle + 1 : 0;
    if (idle >= IDLE_BALANCES) return giveBack();
    isSharing = true;
    ceiling = inUse;
    try {
      const until = performance.now() + LEASE_MS;
      granted = await store.balance(destination, { holder, inUse, wanted: demand, total: total(), leaseMs: LEASE_MS });
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
    await store.release(destination, holder).catch((error: unknown) => {
      log.debug({ err: error }, 'Permits were not given back; their lease lapses.');
    });
    if (waiting.length > 0) schedule(0);
  }

  async function close(): Promise<void> {
    await balancing;
    if (isSharing) await giveBack();
  }
}
