import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { AlertsConfig, BrokenSync, SyncConfig } from '../config/types.ts';
import { toCodedError } from '../core/errors.ts';
import { type Pauses, retryDelay } from '../core/retry.ts';
import type { RunReport } from '../core/run.ts';
import { systemClock } from '../core/runtime/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SyncHealth } from '../ledger/runs/sync-health.ts';
import { causesIn, NO_RUN } from './causes.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email.ts';
import { composeMessage, type DueAlerts } from './message.ts';
import { FIRST_PROBLEMS, type PlannedDeletes, problemIds } from './problems.ts';
import { createWebhookChannel } from './webhook.ts';

/** Longer than it takes to send all messages that can be due for one sync. */
const LEASE_MS = 180_000;
/** Attempts in a row. If all fail, the next process that checks the sync tries again later. */
const ATTEMPTS = { retries: 2, minTimeout: 500, factor: 3 };
const LATER: Pauses = { backoffMs: 30_000, maxBackoffMs: 900_000 };
/** The longest time between two checks of the syncs, which are checked several times in `every`. */
const LONGEST_PAUSE_MS = 30_000;
const SHORTEST_PAUSE_MS = 500;
const CHECKS = 4;

export interface AlertsOptions {
  /** Absent: no alerts are sent. */
  config: AlertsConfig | undefined;
  /** Syncs whose files have mistakes: reported like failed runs. */
  broken?: readonly BrokenSync[];
  /** Zone of the site, for times in messages. */
  timezone: string;
  /** Address of the console, for links; absent: messages have no links. */
  consoleUrl?: string;
  ledger: Pick<Ledger, 'alerts' | 'plans' | 'runs'>;
  log: Logger;
  /** Name and version of feedferry. */
  userAgent: string;
  /** Pauses after failed attempts; default: 30 s, doubling up to 15 min. */
  later?: Pauses;
}

/** A sync to check. If its file has mistakes, only the name may be known. */
type WatchedSync = Pick<SyncConfig, 'name'> & Partial<Pick<SyncConfig, 'alerts' | 'schedule' | 'resource'>>;

export type Alerts = ReturnType<typeof createAlerts>;

/** Sends alerts about syncs. Errors are logged, never thrown: no run fails because of them. */
export function createAlerts(options: AlertsOptions) {
  const { config, broken = [], timezone, consoleUrl, ledger, log, userAgent, later = LATER } = options;
  const channels = config ? channelsOf(config, userAgent) : [];
  const everyMs = config?.everyMs ?? Number.POSITIVE_INFINITY;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, everyMs / CHECKS));
  return { check, pauseMs, close };

  /** Checks the state of a sync and sends the messages that are due. After an abort, the rest is sent later. */
  async function check(sync: WatchedSync, signal: AbortSignal): Promise<void> {
    if (!config || sync.alerts === false || signal.aborted) return;
    const watched = { ...config, ...sync.alerts, schedule: sync.schedule };
    try {
      const health = await ledger.alerts.health(sync.name);
      const causes = causesIn(health, { ...watched, isBroken: broken.some(({ name }) => name === sync.name) });
      for (const channel of channels) {
        const isKnown = await hasNoNews(sync.name, channel.name, causes.get('partial'));
        await ledger.alerts.note(sync.name, channel.name, causes, new Set(isKnown ? ['partial'] : []));
        await sendDue(sync, channel, health, signal);
      }
    } catch (error) {
      log.warn({ sync: sync.name, err: error }, 'Could not check whether alerts of a sync are due.');
    }
  }

  /** Whether a partial run has only problems that were reported before. A feed that was not read completely is always news. */
  async function hasNoNews(sync: string, channel: string, run: string | undefined): Promise<boolean> {
    const last = run === undefined ? undefined : await ledger.alerts.lastNoted(sync, channel, 'partial');
    if (run === undefined || !last || last.run === run) return false;
    const report = await ledger.runs.report(run);
    const ids = problemIds(report);
    const known = ids.filter((id) => last.reported.has(id));
    await ledger.alerts.keepReported(sync, channel, 'partial', known);
    return report.complete && ids.length > 0 && known.length === ids.length;
  }

  async function sendDue(
    watched: WatchedSync,
    channel: Channel,
    health: SyncHealth,
    signal: AbortSignal,
  ): Promise<void> {
    const due = await ledger.alerts.claim(watched.name, channel.name, { everyMs, leaseMs: LEASE_MS });
    const [firstOver, ...restOver] = due.filter(({ isOver }) => isOver);
    for (const alert of due.filter(({ isOver }) => !isOver)) await send([alert], watched, channel, health, signal);
    if (firstOver) await send([firstOver, ...restOver], watched, channel, health, signal);
  }

  /** Sends one message, about one alert that continues or about all that end together. */
  async function send(
    alerts: DueAlerts,
    { resource }: WatchedSync,
    channel: Channel,
    health: SyncHealth,
    signal: AbortSignal,
  ): Promise<void> {
    const [{ sync, kind, isOver, run: cause, attempts }] = alerts;
    const run = kind === 'stale' || kind === 'drift' || isOver ? health.latest?.run : cause || undefined;
    const mistakes =
      cause === NO_RUN && kind === 'failed' ? broken.find(({ name }) => name === sync)?.problems : undefined;
    const about = { sync, channel: channel.name, kind, run };
    try {
      const report = run === undefined ? undefined : await ledger.runs.report(run);
      const deletes = kind === 'held' && !isOver && report ? await firstDeletes(report, ledger) : undefined;
      const message = composeMessage(alerts, report, health, { timezone, consoleUrl, mistakes, resource, deletes });
      await pRetry(() => channel.send(message, signal), { ...ATTEMPTS, signal });
      await ledger.alerts.markSent(alerts, report && kind === 'partial' ? problemIds(report) : []);
      log.info(about, `Alert sent: ${message.title}`);
    } catch (error) {
      await ledger.alerts.postpone(alerts, signal.aborted ? 0 : retryDelay(attempts + 1, later, systemClock));
      if (signal.aborted) return;
      const { code, message } = toCodedError(error);
      log.warn({ ...about, code }, `${message} It will be sent later.`);
    }
  }

  async function close(): Promise<void> {
    await Promise.all(channels.map((channel) => channel.close()));
  }
}

/** The items that a held plan would delete: how many, and the first of them. */
async function firstDeletes(
  { run, sync }: RunReport,
  { plans }: Pick<Ledger, 'plans'>,
): Promise<PlannedDeletes | undefined> {
  const { delete: total } = await plans.countByEffect(run);
  return total === 0 ? undefined : { total, first: await plans.changePage(run, sync, 'delete', '', FIRST_PROBLEMS) };
}

function channelsOf({ webhook, email }: AlertsConfig, userAgent: string): Channel[] {
  return [
    ...(webhook ? [createWebhookChannel(webhook, userAgent)] : []),
    ...(email ? [createEmailChannel(email)] : []),
  ];
}
