import type { Logger } from 'pino';
import type { Alerts } from '../alerts/alerts.ts';
import { leftOut } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** How often the ledger is swept, by any of the processes. */
const SWEEP_EVERY_MS = 3_600_000;
/** How long a command waits for a sweep at most; the next sweep deletes the rest. */
const LONGEST_SWEEP_MS = 20_000;

export interface UpkeepOptions {
  config: Pick<Config, 'syncs' | 'broken' | 'retention'>;
  ledger: Pick<Ledger, 'runs' | 'turns' | 'retention' | 'acknowledgements'>;
  alerts: Pick<Alerts, 'check' | 'pauseMs'>;
  log: Logger;
}

/**
 * Sends alerts and deletes expired rows from the ledger: after each run, and at intervals in a service. Errors are logged,
 * never thrown, so that runs do not fail.
 */
export function createUpkeep({ config, ledger, alerts, log }: UpkeepOptions) {
  return { afterRun, lookAfterAll, pauseMs: alerts.pauseMs };

  async function afterRun(sync: SyncConfig, signal: AbortSignal): Promise<void> {
    await alerts.check(sync, signal);
    await sweep(signal);
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      if (!(await ledger.turns.takeTurn('sweep', SWEEP_EVERY_MS))) return;
      for (const { name } of config.syncs) await ledger.acknowledgements.keepAcknowledged(name);
      const begunAt = performance.now();
      const limited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_SWEEP_MS)]);
      const rows = await ledger.retention.run(config.retention, limited);
      const durationMs = Math.round(performance.now() - begunAt);
      if (rows > 0) log.info({ rows, durationMs }, 'Expired rows were deleted from the ledger.');
    } catch (error) {
      log.warn({ err: error }, 'Expired rows could not be deleted from the ledger.');
    }
  }

  /** Ends runs whose process has exited, then sends alerts, which report these runs, and sweeps the ledger. */
  async function lookAfterAll(signal: AbortSignal): Promise<void> {
    for (const sync of config.syncs) {
      if (signal.aborted) return;
      try {
        await ledger.runs.endLeftAlone(sync.name);
      } catch (error) {
        log.warn({ sync: sync.name, err: error }, 'Could not check for abandoned runs.');
      }
      await alerts.check(sync, signal);
    }
    for (const sync of leftOut(config)) await alerts.check(sync, signal);
    await sweep(signal);
  }
}
