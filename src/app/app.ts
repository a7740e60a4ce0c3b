import type { Logger } from 'pino';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import type { QueueWorker } from '../core/queue.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Gates } from '../limits/request-gate.ts';
import type { RunContext } from '../sync/context/run-context.ts';
import { deliverBatch } from '../sync/deliver/deliver-batch.ts';
import { createContexts, type RunOptions } from './contexts.ts';
import type { Environment } from './environment.ts';
import { type AppOptions, openParts } from './open-parts.ts';
import type { OpenedQueue } from './queue.ts';

/** The parts of feedferry, wired together by one config. */
export interface App {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly queue: OpenedQueue;
  readonly gates: Pick<Gates, 'inFlight' | 'state'>;
  /** What a run of a sync works with: the argument of `syncRun`, `retryRun` and the like. */
  contextOf(sync: SyncConfig, options: RunOptions): RunContext;
  /** Delivers the records of all runs, until the app is closed. A run that has records to deliver starts it itself. */
  work(): Promise<QueueWorker>;
  /**
   * Ends runs whose process has exited, sends alerts and sweeps the ledger, at intervals.
   * @returns stops it; closing the app does so as well
   */
  watch(): () => void;
  close(): Promise<void>;
}

/**
 * Opens ledger and queue and wires the parts.
 * @throws CodedError FF_DATA_DIR, FF_LEDGER_UNAVAILABLE, FF_QUEUE_UNAVAILABLE, FF_CMS_INSECURE
 */
export async function openApp(
  config: Config,
  environment: Environment,
  log: Logger,
  options: AppOptions = {},
): Promise<App> {
  const parts = await openParts(config, environment, log, options);
  const { ledger, queue, gates, alerts, housekeeping, close } = parts;
  let worker: Promise<QueueWorker> | undefined;
  const stopWork = async () => (await worker)?.stop();
  const contexts = createContexts(parts, { config, environment, log, work, stopWork, afterRun });
  return { config, ledger, queue, gates, contextOf: contexts.run, work, watch, close };

  function work(): Promise<QueueWorker> {
    worker ??= queue.work((job, signal) => {
      const sync = config.syncs.find((candidate) => candidate.name === job.sync);
      // A worker with another config may know it.
      if (!sync)
        return Promise.reject(new CodedError('FF_SYNC_UNKNOWN', `This process has no sync named "${job.sync}".`));
      return deliverBatch(job, contexts.delivery(sync, job.run), signal);
    });
    return worker;
  }

  /** Comes before the run's report is returned: a command ends right after that. */
  async function afterRun(sync: SyncConfig, signal: AbortSignal): Promise<void> {
    await alerts.check(sync, signal);
    await housekeeping.tidy(signal);
  }

  function watch(): () => void {
    const stops = [alerts.watch(config.syncs), housekeeping.watch()];
    return () => {
      for (const stop of stops) stop();
    };
  }
}
