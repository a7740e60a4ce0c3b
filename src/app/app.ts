import type { Logger } from 'pino';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import type { QueueWorker } from '../core/queue.ts';
import type { RunReport } from '../core/run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Gates } from '../limits/request-gate.ts';
import { type BackfillOptions, backfillSync } from '../sync/backfill/backfill.ts';
import type { RunContext } from '../sync/context/run-context.ts';
import { deliverBatch } from '../sync/deliver/deliver-batch.ts';
import { explainRecord } from '../sync/explain/explain-record.ts';
import type { Story } from '../sync/explain/story.ts';
import { adoptRun } from '../sync/runs/adopt-run.ts';
import { approveRun } from '../sync/runs/approve-run.ts';
import { type PlanReport, planRun } from '../sync/runs/plan-run.ts';
import { type PurgePlan, planPurge, purgeRun } from '../sync/runs/purge-run.ts';
import { retryRun } from '../sync/runs/retry-run.ts';
import { syncRun } from '../sync/runs/sync-run.ts';
import { previewUndo, type UndoPreview } from '../sync/undo/preview-undo.ts';
import { undoRun } from '../sync/undo/undo-run.ts';
import { createContexts, type RunOptions } from './contexts.ts';
import type { Environment } from './environment.ts';
import { type AppOptions, type AppParts, openParts } from './open-parts.ts';
import type { OpenedQueue } from './queue.ts';

/** The parts of feedferry, wired together. */
export interface App {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly queue: OpenedQueue;
  readonly gates: Pick<Gates, 'inFlight' | 'state'>;
  plan(sync: SyncConfig, options: RunOptions): Promise<PlanReport>;
  /** @throws CodedError FF_RUN_BUSY while another run of the sync is under way */
  run(sync: SyncConfig, options: RunOptions): Promise<RunReport>;
  /**
   * Tries records again that did not get through, those named or all, without reading the feed; undefined: there are none.
   * @throws CodedError FF_RECORD_UNKNOWN for a key that the ledger does not have, FF_RUN_BUSY
   */
  retry(sync: SyncConfig, keys: readonly string[] | undefined, options: RunOptions): Promise<RunReport | undefined>;
  /**
   * Applies the plan of a held run.
   * @throws CodedError FF_APPROVE_NOT_HELD, FF_APPROVE_STALE, FF_RUN_BUSY
   */
  approve(sync: SyncConfig, held: string, options: RunOptions): Promise<RunReport>;
  /**
   * Carries the days of a backfill over, or goes on with the one that is not finished; see `backfillSync`.
   * @throws CodedError FF_BACKFILL_OPEN, FF_RUN_BUSY while another process is at it
   */
  backfill(sync: SyncConfig, backfill: BackfillOptions, options: RunOptions): Promise<RunReport>;
  /**
   * Makes a record the owner of an item of the CMS, and delivers the difference.
   * @throws CmsError; CodedError FF_RECORD_UNKNOWN, FF_ADOPT_SETTLED, FF_ADOPT_TAKEN, FF_ADOPT_ITEM, FF_RUN_BUSY
   */
  adopt(sync: SyncConfig, key: string, cmsId: number, options: RunOptions): Promise<RunReport>;
  /**
   * Takes back what a run of the sync has changed in the CMS, but for what was changed since.
   * @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, FF_RUN_BUSY
   */
  undo(sync: SyncConfig, run: string, options: RunOptions): Promise<RunReport>;
  /**
   * Tells what `undo` would do; changes nothing.
   * @throws CmsError; CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, FF_DESTINATION_CHANGED
   */
  planUndo(sync: SyncConfig, run: string, options: RunOptions): Promise<UndoPreview>;
  /**
   * Deletes every item that the sync has created; undefined: it has none.
   * @throws CodedError FF_RUN_BUSY
   */
  purge(sync: SyncConfig, options: RunOptions): Promise<RunReport | undefined>;
  /** Tells what `purge` would do; changes nothing. */
  planPurge(sync: SyncConfig): Promise<PurgePlan>;
  /**
   * Tells one record's whole story; writes nothing.
   * @throws CodedError FF_RECORD_UNKNOWN for a key that neither the feed nor the ledger has
   */
  explain(sync: SyncConfig, key: string, options: RunOptions): Promise<Story>;
  /** Takes part in delivering, until the app is closed. `run` does so by itself. */
  work(): Promise<QueueWorker>;
  /**
   * Looks after all syncs: ends runs whose process is gone, tells who is to be told, sweeps the ledger.
   * @returns ends it; closing the app does so as well
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
  return wire(await openParts(config, environment, log, options), { config, environment, log });
}

function wire(parts: AppParts, settings: { config: Config; environment: Environment; log: Logger }): App {
  const { ledger, queue, gates, alerts, housekeeping, close } = parts;
  const { config } = settings;
  const contexts = createContexts(parts, { ...settings, quiesce: async () => (await worker)?.stop() });
  let worker: Promise<QueueWorker> | undefined;
  return {
    ...{ config, ledger, queue, gates, work, watch, close },
    plan: (sync, options) => planRun(contexts.run(sync, options)),
    run: (sync, options) => lead(sync, options, syncRun),
    retry: (sync, keys, options) => lead(sync, options, (context) => retryRun(keys, context)),
    approve: (sync, held, options) => lead(sync, options, (context) => approveRun(held, context)),
    adopt: (sync, key, cmsId, options) => lead(sync, options, (context) => adoptRun(key, cmsId, context)),
    undo: (sync, run, options) => lead(sync, options, (context) => undoRun(run, context)),
    planUndo: (sync, run, options) => previewUndo(run, contexts.run(sync, options)),
    purge: (sync, options) => lead(sync, options, purgeRun),
    planPurge: (sync) => planPurge({ ledger, sync }),
    explain: (sync, key, options) => explainRecord(key, contexts.run(sync, options)),
    async backfill(sync, backfill, options) {
      await work();
      return backfillSync(backfill, contexts.run(sync, options));
    },
  };

  /** What a run came to is told, and the ledger tidied, before it is answered: a command ends right after. */
  async function lead<Report>(
    sync: SyncConfig,
    options: RunOptions,
    begin: (context: RunContext) => Promise<Report>,
  ): Promise<Report> {
    await work();
    const report = await begin(contexts.run(sync, options));
    await alerts.check(sync, options.signal);
    await housekeeping.tidy(options.signal);
    return report;
  }

  function work(): Promise<QueueWorker> {
    worker ??= queue.work((job, signal) => {
      const sync = config.syncs.find((candidate) => candidate.name === job.sync);
      // Not ours to judge: a worker with another config may know it.
      if (!sync) return Promise.reject(new CodedError('FF_SYNC_UNKNOWN', `No sync is named "${job.sync}" here.`));
      return deliverBatch(job, contexts.delivery(sync, job.run), signal);
    });
    return worker;
  }

  function watch(): () => void {
    const ends = [alerts.watch(config.syncs), housekeeping.watch()];
    return () => {
      for (const end of ends) end();
    };
  }
}
