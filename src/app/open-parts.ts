import type { Logger } from 'pino';
import { type Alerts, createAlerts } from '../alerts/alerts.ts';
import { type CmsClient, createCmsClient, type ResponseInfo } from '../cms/client.ts';
import type { Config } from '../config/types.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createGates, type Gates } from '../limits/request-gate.ts';
import type { Environment } from './environment.ts';
import { createHousekeeping, type Housekeeping } from './housekeeping.ts';
import { type OpenedQueue, openQueue } from './queue.ts';
import { siteOf } from './target-id.ts';
import { version } from './version.ts';

export interface AppOptions {
  /** Told of every request sent to the CMS. It must not throw. */
  onResponse?: (info: ResponseInfo) => void;
  /** What it does comes after what other processes do at the same CMS. */
  background?: boolean;
}

/** What has to be opened before anything can be done, and closed after it. */
export interface AppParts {
  ledger: Ledger;
  queue: OpenedQueue;
  gates: Gates;
  /** For deliveries. */
  cms: CmsClient;
  /** Asks even a CMS that is paused or stopped. */
  checks: CmsClient;
  alerts: Alerts;
  housekeeping: Housekeeping;
  close(): Promise<void>;
}

/** @throws CodedError FF_DATA_DIR, FF_LEDGER_UNAVAILABLE, FF_QUEUE_UNAVAILABLE, FF_CMS_INSECURE */
export async function openParts(
  config: Config,
  environment: Environment,
  log: Logger,
  { onResponse, background = false }: AppOptions,
): Promise<AppParts> {
  const { target, retention } = config;
  const ledger = await openLedger({ dataDir: environment.dataDir, ...databaseOf(environment) });
  const targetId = siteOf(target.baseUrl);
  // With Redis the workers are everybody's: there the order of the jobs decides.
  const gates = createGates(ledger, { targetId, target, log, background: background && !environment.redisUrl });
  const alerts = createAlerts({
    config: config.alerts,
    timezone: config.target.timezone,
    ledger,
    log,
    userAgent: `feedferry/${version()}`,
  });
  const housekeeping = createHousekeeping({ ledger, retention, log });
  let cms: CmsClient | undefined;
  let checks: CmsClient | undefined;
  let queue: OpenedQueue | undefined;
  try {
    cms = createCmsClient({ ...target, gate: gates.deliveries, onResponse });
    checks = createCmsClient({ ...target, concurrency: 1, gate: gates.checks, onResponse });
    queue = await openQueue(environment, { targetId, concurrency: target.concurrency, log });
    return { ledger, queue, gates, cms, checks, alerts, housekeeping, close };
  } catch (error) {
    await close();
    throw error;
  }

  /** What uses others first. */
  async function close(): Promise<void> {
    await queue?.close();
    await alerts.close();
    await housekeeping.close();
    await cms?.close();
    await checks?.close();
    await gates.close();
    await ledger.close();
  }
}

function databaseOf({ databaseUrl }: Environment): { databaseUrl: string } | Record<string, never> {
  return databaseUrl ? { databaseUrl } : {};
}
