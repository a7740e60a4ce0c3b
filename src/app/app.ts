import type { Logger } from 'pino';
import { connectors } from '../../connectors/index.ts';
import { type Alerts, createAlerts } from '../alerts/alerts.ts';
import { type CmsClient, createCmsClient, type ResponseInfo } from '../cms/client.ts';
import type { AttachmentReader } from '../core/attachment.ts';
import type { Config, SyncConfig } from '../core/config.ts';
import type { AnyConnector } from '../core/connector.ts';
import { CodedError } from '../core/errors.ts';
import type { QueueWorker } from '../core/queue.ts';
import type { RunReport } from '../core/run.ts';
import { createAttachmentReader } from '../feed/attachments.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createSecrets } from '../ledger/secrets.ts';
import { adoptByHand } from '../sync/adopt-by-hand.ts';
import { approveRun } from '../sync/approve.ts';
import { type BackfillOptions, backfillSync } from '../sync/backfill/backfill.ts';
import type { DeliveryContext } from '../sync/context.ts';
import { deliverBatch } from '../sync/deliver.ts';
import { explainRecord, type Story } from '../sync/explain.ts';
import { createGates, type Gates } from '../sync/gate/gate.ts';
import { type PlanReport, planSync } from '../sync/plan-sync.ts';
import { planUndo, type UndoPlan } from '../sync/plan-undo.ts';
import { type PurgePlan, planPurge, purgeSync } from '../sync/purge-sync.ts';
import { retrySync } from '../sync/retry-sync.ts';
import { runSync } from '../sync/run.ts';
import type { RunContext, RunProgress } from '../sync/run-context.ts';
import { createCmsSearch } from '../sync/search.ts';
import type { SourceReading } from '../sync/source.ts';
import { undoRun } from '../sync/undo-run.ts';
import { destinationOf, formerDestinationOf, siteOf } from './destination.ts';
import type { Environment } from './environment.ts';
import { deliveryFingerprint, planFingerprint } from './fingerprint.ts';
import { createHousekeeping } from './housekeeping.ts';
import { type OpenedQueue, openQueue } from './queue.ts';
import { readSource } from './source.ts';
import { version } from './version.ts';

/** What a command may ask for while it runs. */
export interface RunOptions {
  signal: AbortSignal;
  /** Told the id of the run as soon as it has begun. */
  onBegin?: (run: string) => void;
  onProgress?: (progress: RunProgress) => void;
}

export interface AppOptions {
  /** Told of every request sent to the CMS. It must not throw. */
  onResponse?: (info: ResponseInfo) => void;
  /** What it does comes after what other processes do at the same CMS. */
  background?: boolean;
}

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
  planUndo(sync: SyncConfig, run: string, options: RunOptions): Promise<UndoPlan>;
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
 * Reads and maps the feed of a sync; neither ledger nor CMS is needed.
 * @throws CodedError FF_FEED_… where it cannot be opened
 */
export async function readSyncSource(config: Config, sync: SyncConfig, signal: AbortSignal): Promise<SourceReading> {
  const reading = readSource(sync, config.target, connectorOf(sync), { signal });
  await reading.open();
  return reading;
}

/**
 * Opens ledger and queue and wires the parts.
 * @throws CodedError FF_DATA_DIR, FF_LEDGER_UNAVAILABLE, FF_QUEUE_UNAVAILABLE, FF_CMS_INSECURE
 */
export async function openApp(
  config: Config,
  environment: Environment,
  log: Logger,
  { onResponse, background = false }: AppOptions = {},
): Promise<App> {
  const { target } = config;
  const ledger = await openLedger({ dataDir: environment.dataDir, ...databaseOf(environment) });
  const destination = siteOf(target.baseUrl);
  const ourVersion = version();
  const attachmentReaders = new Map<string, AttachmentReader>();
  const uploading: DeliveryContext['uploading'] = new Map();
  const { secret, dataDir } = environment;
  const secrets = createSecrets({ dataDir, ...(secret ? { secret } : {}) });
  // With Redis the workers are everybody's: there the order of the jobs decides.
  const gates = createGates(ledger, { destination, target, log, background: background && !environment.redisUrl });
  const alerts: Alerts = createAlerts({ config: config.alerts, ledger, log, userAgent: `feedferry/${ourVersion}` });
  const housekeeping = createHousekeeping({ ledger, retention: config.retention, log });
  let cms: CmsClient | undefined;
  let checks: CmsClient | undefined;
  let queue: OpenedQueue | undefined;
  let worker: Promise<QueueWorker> | undefined;
  try {
    cms = createCmsClient({ ...target, gate: gates.deliveries, onResponse });
    checks = createCmsClient({ ...target, concurrency: 1, gate: gates.checks, onResponse });
    queue = await openQueue(environment, { destination, concurrency: target.concurrency, log });
    return wire(cms, checks, queue);
  } catch (error) {
    await queue?.close();
    await cms?.close();
    await checks?.close();
    await alerts.close();
    await ledger.close();
    throw error;
  }

  function wire(client: CmsClient, checking: CmsClient, deliveries: OpenedQueue): App {
    const search = createCmsSearch(client, target.externalId);
    return {
      ...{ config, ledger, queue: deliveries, gates },
      ...{ plan, run, retry, approve, backfill, adopt, undo, purge, explain, work, watch, close },
      planUndo: (sync, run, options) => planUndo(run, runContext(sync, options)),
      planPurge: (sync) => planPurge({ ledger, sync }),
    };

    function plan(sync: SyncConfig, options: RunOptions): Promise<PlanReport> {
      return planSync(runContext(sync, options));
    }

    async function run(sync: SyncConfig, options: RunOptions): Promise<RunReport> {
      await work();
      return told(sync, options, runSync(runContext(sync, options)));
    }

    async function retry(sync: SyncConfig, keys: readonly string[] | undefined, options: RunOptions) {
      await work();
      return told(sync, options, retrySync(keys, runContext(sync, options)));
    }

    async function approve(sync: SyncConfig, held: string, options: RunOptions): Promise<RunReport> {
      await work();
      return told(sync, options, approveRun(held, runContext(sync, options)));
    }

    async function backfill(sync: SyncConfig, asked: BackfillOptions, options: RunOptions): Promise<RunReport> {
      await work();
      return backfillSync(asked, runContext(sync, options));
    }

    async function adopt(sync: SyncConfig, key: string, cmsId: number, options: RunOptions): Promise<RunReport> {
      await work();
      return told(sync, options, adoptByHand(key, cmsId, runContext(sync, options)));
    }

    async function undo(sync: SyncConfig, undone: string, options: RunOptions): Promise<RunReport> {
      await work();
      return told(sync, options, undoRun(undone, runContext(sync, options)));
    }

    async function purge(sync: SyncConfig, options: RunOptions): Promise<RunReport | undefined> {
      await work();
      return told(sync, options, purgeSync(runContext(sync, options)));
    }

    /** What a run came to is told, and the ledger tidied, before it is answered: a command ends right after. */
    async function told<Report>(sync: SyncConfig, { signal }: RunOptions, run: Promise<Report>): Promise<Report> {
      const report = await run;
      await alerts.check(sync, signal);
      await housekeeping.tidy(signal);
      return report;
    }

    function watch(): () => void {
      const ends = [alerts.watch(config.syncs), housekeeping.watch()];
      return () => {
        for (const end of ends) end();
      };
    }

    function explain(sync: SyncConfig, key: string, options: RunOptions): Promise<Story> {
      return explainRecord(key, runContext(sync, options));
    }

    function work(): Promise<QueueWorker> {
      worker ??= deliveries.work((job, signal) => {
        const sync = config.syncs.find((candidate) => candidate.name === job.sync);
        // Not ours to judge: a worker with another config may know it.
        if (!sync) return Promise.reject(new CodedError('FF_SYNC_UNKNOWN', `No sync is named "${job.sync}" here.`));
        return deliverBatch(job, deliveryContext(sync, { run: job.run }), signal);
      });
      return worker;
    }

    function deliveryContext(sync: SyncConfig, known: { run?: string } = {}): DeliveryContext {
      return {
        sync,
        target,
        destination: destinationOf(sync, target.baseUrl),
        configHash: deliveryFingerprint(sync, target, ourVersion),
        ledger,
        cms: client,
        search,
        attachments: attachmentsOf(sync),
        secrets,
        uploading,
        keepsBefore: config.retention.beforeImagesMs > 0,
        log: log.child({ sync: sync.name, ...known }),
        stopAfterMs: environment.stopAfterMs,
      };
    }

    function runContext(sync: SyncConfig, { signal, onBegin, onProgress }: RunOptions): RunContext {
      return {
        ...deliveryContext(sync),
        queue: deliveries,
        checks: checking,
        ...formerDestinationOf(sync, target),
        fingerprint: planFingerprint(sync, target, ourVersion, Date.now()),
        readSource: ({ window, ...readOptions }) =>
          readSource(window ? { ...sync, window } : sync, target, connectorOf(sync), readOptions),
        quiesce: async () => (await worker)?.stop(),
        signal,
        ...(onBegin ? { onBegin } : {}),
        ...(onProgress ? { onProgress } : {}),
      };
    }

    /** What a source may reach, its attachments may. One reader a sync, for it remembers what it has hashed. */
    function attachmentsOf({ name, source }: SyncConfig): AttachmentReader {
      const { allowPrivateNetwork = false } = source.feed;
      const reader = attachmentReaders.get(name) ?? createAttachmentReader(ledger.remoteFiles, { allowPrivateNetwork });
      attachmentReaders.set(name, reader);
      return reader;
    }

    async function close(): Promise<void> {
      await deliveries.close();
      await alerts.close();
      await housekeeping.close();
      await client.close();
      await checking.close();
      await gates.close();
      await ledger.close();
    }
  }
}

/** @throws CodedError FF_CONFIG_INVALID where this build has no connector of that name */
export function connectorOf(sync: SyncConfig): AnyConnector {
  const connector = connectors.find((candidate) => candidate.kind === sync.source.connector);
  if (!connector) throw new CodedError('FF_CONFIG_INVALID', `No connector is named "${sync.source.connector}".`);
  return connector;
}

function databaseOf({ databaseUrl }: Environment): { databaseUrl: string } | Record<string, never> {
  return databaseUrl ? { databaseUrl } : {};
}
