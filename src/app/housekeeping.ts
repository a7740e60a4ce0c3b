import type { Logger } from 'pino';
import type { RetentionConfig } from '../config/types.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Once in that time, one of all processes sweeps. */
const EVERY_MS = 3_600_000;
/** A command does not wait any longer for it; what is left is swept the next time. */
const LONGEST_MS = 20_000;
const LOOK_MS = 600_000;

export interface HousekeepingOptions {
  ledger: Pick<Ledger, 'retention'>;
  retention: RetentionConfig;
  log: Logger;
}

/** Keeps the ledger small. What goes wrong in that is logged, never thrown: it fails no run. */
export interface Housekeeping {
  /** Sweeps if it is time to, and nobody else does; the signal ends it. */
  tidy(signal: AbortSignal): Promise<void>;
  /**
   * Sweeps now and then.
   * @returns ends it; closing does so as well
   */
  watch(): () => void;
  close(): Promise<void>;
}

export function createHousekeeping({ ledger, retention, log }: HousekeepingOptions): Housekeeping {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  return { tidy, watch, close };

  async function tidy(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      if (!(await ledger.retention.takeTurn(EVERY_MS))) return;
      const begunAt = performance.now();
      const rows = await ledger.retention.run(retention, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
      if (rows > 0)
        log.info(
          { rows, durationMs: Math.round(performance.now() - begunAt) },
          'Expired rows were deleted from the ledger.',
        );
    } catch (error) {
      log.warn({ err: error }, 'Expired rows could not be deleted from the ledger.');
    }
  }

  function watch(): () => void {
    timer ??= setInterval(() => {
      round ??= tidy(closing.signal).finally(() => {
        round = undefined;
      });
    }, LOOK_MS);
    return () => clearInterval(timer);
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    closing.abort();
    await round;
  }
}
