import type { Logger } from 'pino';
import { createLeasedShare } from './leased-share.ts';
import { createPace, type Rate } from './pace.ts';
import type { TargetView } from './target-view.ts';

/** How often a process checks whether its share has changed, and how often if it needs a larger one. */
const CHECK_MS = 250;
const CHECK_SOON_MS = 50;
const IDLE_MS = 200;

/** The right to send one request. */
export interface Permit {
  /** To be called right before the request is sent. */
  use(): void;
  /** To be called once, when the request has ended or will not be sent. */
  release(): void;
}

export interface PermitOptions {
  /** Returns how many requests all processes together may have in flight at present. */
  inFlight: () => number;
  /** The limit on the rate of all processes together. */
  rate: Rate | undefined;
  /** This process takes what the others leave. */
  background: boolean;
  log: Logger;
}

/** Creates the permits of this process: those of its share, first come, first served. */
export function createPermits(view: TargetView, { inFlight, rate, background, log }: PermitOptions) {
  const pace = rate && createPace(rate.periodMs);
  const limits = () => ({ inFlight: inFlight(), perPeriod: rate?.requests ?? 0 });
  const used = () => ({ inFlight: inUse, perPeriod: pace?.used() ?? 0 });
  const share = createLeasedShare(view, { background, periodMs: rate?.periodMs ?? 0, limits, used });
  const waiting: Array<PromiseWithResolvers<Permit>> = [];
  let inUse = 0;
  let idleSince = 0;
  /** The most requests that were in flight or waiting at once, since the last check and between the two before. */
  let peak = { now: 0, before: 0 };
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let checking: Promise<void> | undefined;
  let nextTurn: NodeJS.Timeout | undefined;
  return { acquire, inUse: () => inUse, close };

  /**
   * Waits for a permit.
   * @throws the reason of the signal, or the error because of which the ledger granted no share
   */
  async function acquire(signal?: AbortSignal): Promise<Permit> {
    signal?.throwIfAborted();
    const waiter = Promise.withResolvers<Permit>();
    const onAbort = () => {
      const index = waiting.indexOf(waiter);
      if (index >= 0) waiting.splice(index, 1);
      waiter.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(waiter);
    peak.now = Math.max(peak.now, inUse + waiting.length);
    handOut();
    checkLater();
    return waiter.promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  function handOut(): void {
    clearTimeout(nextTurn);
    const { until, perPeriod, ...allowed } = share.allowance();
    while (waiting.length > 0 && performance.now() < until && inUse < Math.min(allowed.inFlight, inFlight())) {
      const waitMs = pace?.waitMs(perPeriod) ?? 0;
      if (waitMs > 0) {
        if (Number.isFinite(waitMs)) nextTurn = setTimeout(handOut, Math.ceil(waitMs));
        return;
      }
      waiting.shift()?.resolve(permit(perPeriod));
    }
  }

  function permit(perPeriod: number): Permit {
    inUse += 1;
    const turn = pace?.take(perPeriod);
    return {
      use() {
        if (turn) turn.sentAt = performance.now();
        handOut();
      },
      release() {
        if (turn?.sentAt === Number.POSITIVE_INFINITY) pace?.giveBack(turn);
        inUse -= 1;
        if (inUse === 0) idleSince = performance.now();
        handOut();
        checkLater();
      },
    };
  }

  /** Schedules the next check of the share, unless one is due before. */
  function checkLater(): void {
    if (checking) return;
    const afterMs = checkAfterMs();
    const at = performance.now() + afterMs;
    if (!timer || at < dueAt) {
      clearTimeout(timer);
      dueAt = at;
      timer = setTimeout(() => {
        timer = undefined;
        checking = check().finally(() => {
          checking = undefined;
          if (share.isLeased() || waiting.length > 0) checkLater();
        });
      }, afterMs);
    }
    // An idle process may exit; its lease ends by itself.
    if (isIdle()) timer.unref();
    else timer.ref();
  }

  function checkAfterMs(): number {
    const { until, ...allowed } = share.allowance();
    if (isIdle()) return IDLE_MS;
    if (waiting.length === 0) return CHECK_MS;
    if (performance.now() >= until) return 0;
    const total = limits();
    return allowed.inFlight < total.inFlight || allowed.perPeriod < total.perPeriod ? CHECK_SOON_MS : CHECK_MS;
  }

  function isIdle(): boolean {
    return inUse + waiting.length === 0;
  }

  async function check(): Promise<void> {
    if (!isIdle()) return renew();
    if (performance.now() - idleSince >= IDLE_MS) await giveBack();
  }

  async function renew(): Promise<void> {
    const wanted = Math.max(peak.now, peak.before);
    peak = { now: inUse + waiting.length, before: peak.now };
    try {
      await share.renew({ inFlight: wanted, perPeriod: used().perPeriod + waiting.length });
    } catch (error) {
      log.warn({ err: error }, 'The ledger granted no permits to send requests.');
      for (const waiter of waiting.splice(0)) waiter.reject(error);
    }
    handOut();
  }

  async function giveBack(): Promise<void> {
    peak = { now: 0, before: 0 };
    await share.giveBack().catch((error: unknown) => {
      log.debug({ err: error }, 'The permits of this process were not given back; their lease will end.');
    });
  }

  async function close(): Promise<void> {
    clearTimeout(nextTurn);
    await checking;
    clearTimeout(timer);
    if (share.isLeased()) await giveBack();
  }
}
