import type { Logger } from 'pino';
import type { Timer } from '../core/runtime/clock.ts';
import { createLeasedShare, type ShareOptions } from './leased-share.ts';
import type { TargetView } from './target-view.ts';

/** How often a process checks whether its share has changed, and how often if it needs a larger share. */
const CHECK_MS = 250;
const CHECK_SOON_MS = 50;
const IDLE_MS = 200;
/** After a delayed request, the next ones may follow this much sooner, so that delays do not lower the rate. */
const CATCH_UP_MS = 50;

/** Gives a permit back, at once or after some time. To be called once. */
export type Release = (afterMs?: number) => void;

/**
 * Creates the permits of this process for one limit: those of its share, first come, first served.
 * @param options `periodMs`: if set, permits are handed out evenly over the period; `intervalMs`: returns the time between two
 * permits of all processes
 */
export function createPermits(
  view: TargetView,
  options: Omit<ShareOptions, 'inUse'> & { intervalMs?: () => number; log: Logger },
) {
  const { total, periodMs, intervalMs = () => 0, log, runtime } = options;
  const { monotonic, after } = runtime;
  const share = createLeasedShare(view, { ...options, inUse: () => inUse });
  const waiting: Array<PromiseWithResolvers<Release>> = [];
  let inUse = 0;
  let idleSince = 0;
  let check: { timer: Timer; dueAt: number } | undefined;
  let checking: Promise<void> | undefined;
  let nextAt = 0;
  let nextTimer: Timer | undefined;
  return { acquire, inUse: () => inUse, use, close };

  /**
   * Waits for a permit.
   * @throws the reason of the signal, or the ledger's error if the ledger granted no share
   */
  async function acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const waiter = Promise.withResolvers<Release>();
    const onAbort = () => {
      const index = waiting.indexOf(waiter);
      if (index >= 0) waiting.splice(index, 1);
      waiter.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(waiter);
    handOut();
    checkLater();
    return waiter.promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  function handOut(): void {
    nextTimer?.cancel();
    const { permits, until } = share.allowance();
    while (waiting.length > 0 && monotonic() < until && inUse < Math.min(permits, total())) {
      const earlyMs = nextAt - monotonic();
      if (earlyMs > 0) {
        nextTimer = after(Math.ceil(earlyMs), handOut);
        return;
      }
      nextAt = Math.max(nextAt, monotonic() - CATCH_UP_MS) + (periodMs + intervalMs() * total()) / permits;
      inUse += 1;
      waiting.shift()?.resolve(release);
    }
  }

  /** Returns how much of its permits this process uses, and its share of all permits. */
  function use(): { isFull: boolean; isPaced: boolean; share: number } {
    const permits = Math.min(share.allowance().permits, total());
    const isFull = inUse >= permits;
    return { isFull, isPaced: !isFull && waiting.length > 0, share: permits / total() };
  }

  function release(afterMs = 0): void {
    if (afterMs > 0) {
      after(afterMs, release).unref();
      return;
    }
    inUse -= 1;
    if (inUse === 0) idleSince = monotonic();
    handOut();
    checkLater();
  }

  /** Schedules the next check of the share, unless an earlier check is due. */
  function checkLater(): void {
    if (checking || (waiting.length === 0 && !share.isLeased())) return;
    const afterMs = checkAfterMs();
    const dueAt = monotonic() + afterMs;
    if (!check || dueAt < check.dueAt) {
      check?.timer.cancel();
      check = { dueAt, timer: after(afterMs, startCheck) };
    }
    // An idle process may exit; its lease ends by itself.
    if (isIdle()) check.timer.unref();
    else check.timer.ref();
  }

  function checkAfterMs(): number {
    const { permits, until } = share.allowance();
    if (isIdle()) return IDLE_MS;
    if (waiting.length === 0) return CHECK_MS;
    if (monotonic() >= until) return 0;
    return permits < total() ? CHECK_SOON_MS : CHECK_MS;
  }

  function isIdle(): boolean {
    return inUse + waiting.length === 0;
  }

  function startCheck(): void {
    check = undefined;
    checking = (isIdle() ? endWhenIdle() : renew()).finally(() => {
      checking = undefined;
      checkLater();
    });
  }

  async function renew(): Promise<void> {
    const hadNone = share.allowance().permits === 0;
    try {
      await share.renew();
      // Another process may have used its last permit just before.
      if (hadNone) nextAt = Math.max(nextAt, monotonic() + intervalMs());
    } catch (error) {
      log.warn({ err: error }, 'The ledger granted no permits to send requests.');
      for (const waiter of waiting.splice(0)) waiter.reject(error);
    }
    handOut();
  }

  async function endWhenIdle(): Promise<void> {
    if (monotonic() - idleSince >= IDLE_MS) await giveBack();
  }

  async function giveBack(): Promise<void> {
    await share.giveBack().catch((error: unknown) => {
      log.debug({ err: error }, 'The permits of this process were not given back; their lease will end.');
    });
  }

  async function close(): Promise<void> {
    nextTimer?.cancel();
    await checking;
    check?.timer.cancel();
    if (share.isLeased()) await giveBack();
  }
}
