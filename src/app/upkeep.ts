import type { Logger } from 'pino';
import type { Alerts } from '../alerts/alerts.ts';
import { leftOut } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { removeUpload, uploadsBefore } from './uploads.ts';

/** How often the ledger is swept, by any of the processes. */
const SWEEP_EVERY_MS = 3_600_000;
/** How long a command waits for a sweep at most; the next sweep deletes the rest. */
const LONGEST_SWEEP_MS = 20_000;

export interface UpkeepOptions {
  config: Pick<Config, 'syncs' | 'broken' | 'retention'>;
  ledger: Pick<Ledger, 'runs' | 'turns' | 'retention' | 'acknowledgements' | 'history'>;
  alerts: Pick<Alerts, 'check' | 'pauseMs'>;
  log: Logger;
  dataDir: string;
}

/**
 * Sends alerts and deletes what has expired: after each run, and at intervals in a service. Errors are logged,
 * never thrown, so that runs do not fail.
 */
export function createUpkeep({ config, ledger, alerts, log, dataDir }: UpkeepOptions) {
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
      await sweepUploads();
    } catch (error) {
      log.warn({ err: error }, 'Expired rows could not be deleted from the ledger.');
    }
  }

  /** Deletes uploaded feeds that no sync reads, and no edit in the history: taking it back would read them again. */
  async function sweepUploads(): Promise<void> {
    const now = Date.now();
    const from = now - config.retention.runsMs;
    const old = uploadsBefore(dataDir, new Date(from).toISOString().slice(0, 10));
    // What other files read is unknown: of those with mistakes, and of a folder that is not mounted.
    if (old.length === 0 || config.broken.length > 0 || config.syncs.length === 0) return;
    const read = config.syncs.flatMap(({ source, sources = [] }) => [
      source,
      ...sources.map(({ sync }) => sync.source),
    ]);
    const edits = await ledger.history.deeds({ from, to: now + 1 }, Number.MAX_SAFE_INTEGER);
    const named = [...read.map(({ url }) => url), ...edits.map(({ patch = '' }) => patch)].join('\n');
    for (const file of old) if (!named.includes(file)) removeUpload(dataDir, file);
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
