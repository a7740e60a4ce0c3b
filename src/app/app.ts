import type { Logger } from 'pino';
import { createAlerts } from '../alerts/alerts.ts';
import { createCmsClient, type ResponseInfo } from '../cms/client.ts';
import type { Config } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import type { QueueWorker } from '../core/queue.ts';
import { type Runtime, systemRuntime } from '../core/runtime/runtime.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createGates } from '../limits/request-gate.ts';
import { deliverBatch, giveUpBatch } from '../sync/deliver/deliver-batch.ts';
import { createContexts } from './contexts.ts';
import type { Environment } from './environment.ts';
import { openQueue } from './queue.ts';
import { siteOf } from './target-id.ts';
import { createUpkeep } from './upkeep.ts';
import { version } from './version.ts';

export interface AppOptions {
  /** Called for every request sent to the CMS. The function must not throw. */
  onResponse?: (info: ResponseInfo) => void;
  /** Once aborted, no request to the CMS begins and no job is taken; requests in flight may end. */
  signal?: AbortSignal;
  /** Clock and timers; by default, those of this process. */
  runtime?: Runtime;
}

/** The parts of feedferry, wired together by one config. */
export type App = Awaited<ReturnType<typeof openApp>>;

/**
 * Opens ledger, queue and CMS clients, and wires the parts.
 * @throws CodedError FF_DATA_DIR, FF_LEDGER_UNAVAILABLE, FF_QUEUE_UNAVAILABLE, FF_CMS_INSECURE
 */
export async function openApp(config: Config, environment: Environment, log: Logger, options: AppOptions = {}) {
  const { runtime = systemRuntime, signal } = options;
  const parts = await openParts(config, environment, log, { ...options, runtime });
  const { ledger, queue, gates, alerts, upkeep, close } = parts;
  let worker: Promise<QueueWorker> | undefined;
  const stopWork = async () => (await worker)?.stop();
  const { afterRun } = upkeep;
  const contexts = createContexts({ ...parts, config, environment, runtime, log, work, stopWork, afterRun });
  return { config, ledger, queue, gates, alerts, contextOf: contexts.run, work, upkeep, close };

  /** Starts the worker, which delivers the records of all runs until the app is closed. Runs with records to deliver call this. */
  function work(): Promise<QueueWorker> {
    worker ??= startWork();
    return worker;
  }

  async function startWork(): Promise<QueueWorker> {
    const started = await queue.work(
      (job, stopping) => {
        const sync = config.syncs.find((candidate) => candidate.name === job.sync);
        // A worker with another config may know the sync.
        if (!sync)
          return Promise.reject(new CodedError('FF_SYNC_UNKNOWN', `This process has no sync named "${job.sync}".`));
        return deliverBatch(job, contexts.delivery(sync, job.run), stopping);
      },
      (job, error) => giveUpBatch(job, error, ledger),
    );
    const stop = () => {
      started.stop().catch((error: unknown) => log.warn({ err: error }, 'A worker did not stop cleanly.'));
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    return started;
  }
}

async function openParts(
  config: Config,
  environment: Environment,
  log: Logger,
  { onResponse, signal: stopping, runtime }: AppOptions & { runtime: Runtime },
) {
  const { target } = config;
  const targetId = siteOf(target.baseUrl);
  const userAgent = `feedferry/${version()}`;
  const opened: Array<{ close(): Promise<void> }> = [];
  try {
    const ledger = closeLater(await openLedger({ ...environment, runtime }));
    const gates = closeLater(createGates(ledger, { targetId, target, log, runtime }));
    const client = { ...target, stopping, onResponse, clock: runtime };
    /** Sends requests even to a CMS that is paused or stopped. */
    const checks = closeLater(createCmsClient({ ...client, concurrency: 1, gate: gates.checks }));
    const cms = closeLater(createCmsClient({ ...client, gate: gates.deliveries }));
    const { timezone } = target;
    const alerts = closeLater(
      createAlerts({
        ...{ config: config.alerts, broken: config.broken, timezone, ledger, log, userAgent },
        consoleUrl: environment.publicUrl,
      }),
    );
    const upkeep = createUpkeep({ config, ledger, alerts, log, dataDir: environment.dataDir });
    const queue = closeLater(await openQueue(environment, { targetId, log, runtime }));
    return { ledger, gates, checks, cms, alerts, upkeep, queue, close };
  } catch (error) {
    await close();
    throw error;
  }

  function closeLater<Part extends (typeof opened)[number]>(part: Part): Part {
    opened.unshift(part);
    return part;
  }

  /** Closes the newest part first, because it uses the others. */
  async function close(): Promise<void> {
    for (const part of opened) await part.close();
  }
}
