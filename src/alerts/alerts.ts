import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { AlertsConfig, SyncConfig } from '../config/types.ts';
import { toCodedError } from '../core/errors.ts';
import { type Pauses, retryDelay } from '../core/retry.ts';
import type { ClaimedAlert } from '../ledger/alerts/alerts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Standing } from '../ledger/runs/sync-health.ts';
import { causesIn } from './causes.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email.ts';
import { wordMessage } from './message.ts';
import { createWebhookChannel } from './webhook.ts';

/** Longer than it takes to try all that can be due of one sync at once. */
const LEASE_MS = 180_000;
/** Attempts at once; what they do not bring about is tried again later, by whichever process looks then. */
const ATTEMPTS = { retries: 2, minTimeout: 500, factor: 3 };
const LATER: Pauses = { backoffMs: 30_000, maxBackoffMs: 900_000 };
/** How often `watch` looks: several times in `every`, and every half minute at least. */
const LONGEST_LOOK_MS = 30_000;
const SHORTEST_LOOK_MS = 500;
const LOOKS = 4;

export interface AlertsOptions {
  /** Absent: nobody is told. */
  config: AlertsConfig | undefined;
  ledger: Pick<Ledger, 'alerts' | 'runs'>;
  log: Logger;
  /** Names feedferry and its version. */
  userAgent: string;
  /** Pauses between sendings that failed; absent: 30 s, doubling up to 15 min. */
  later?: Pauses;
}

/** Tells people when it matters. What goes wrong in that is logged, never thrown: it fails no run. */
export interface Alerts {
  /** Looks how a sync is doing, and tells what is due. The signal ends it; what was not told is told later. */
  check(sync: SyncConfig, signal: AbortSignal): Promise<void>;
  /**
   * Looks after syncs; runs whose process is gone are ended first, so that they are told of.
   * @returns ends it; closing does so as well
   */
  watch(syncs: readonly SyncConfig[]): () => void;
  close(): Promise<void>;
}

export function createAlerts({ config, ledger, log, userAgent, later = LATER }: AlertsOptions): Alerts {
  const channels = config ? channelsOf(config, userAgent) : [];
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  return { check, watch, close };

  async function check(sync: SyncConfig, signal: AbortSignal): Promise<void> {
    if (!config || sync.alerts === false || signal.aborted) return;
    const watched = { ...config, ...sync.alerts, ...(sync.schedule && { schedule: sync.schedule }) };
    try {
      const standing = await ledger.alerts.standing(sync.name);
      const causes = causesIn(standing, watched);
      for (const channel of channels) {
        await ledger.alerts.note(sync.name, channel.name, causes);
        await tellDue(sync.name, channel, standing, config.everyMs, signal);
      }
    } catch (error) {
      log.warn({ sync: sync.name, err: error }, 'Nobody could be told how a sync is doing.');
    }
  }

  async function tellDue(
    sync: string,
    channel: Channel,
    standing: Standing,
    everyMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const due = await ledger.alerts.claim(sync, channel.name, { everyMs, leaseMs: LEASE_MS });
    const [firstOver, ...restOver] = due.filter(({ isOver }) => isOver);
    for (const alert of due.filter(({ isOver }) => !isOver)) await tell([alert], channel, standing, signal);
    if (firstOver) await tell([firstOver, ...restOver], channel, standing, signal);
  }

  /** One message, of one alert that goes on or of all whose end is told at once. */
  async function tell(
    alerts: readonly [ClaimedAlert, ...ClaimedAlert[]],
    channel: Channel,
    standing: Standing,
    signal: AbortSignal,
  ): Promise<void> {
    const [{ sync, kind, isOver, run: cause, attempts }] = alerts;
    const run = kind === 'stale' || isOver ? standing.latest?.run : cause;
    const about = { sync, channel: channel.name, kind, ...(run !== undefined && { run }) };
    try {
      const message = wordMessage(alerts, run === undefined ? undefined : await ledger.runs.report(run), standing);
      await pRetry(() => channel.send(message, signal), { ...ATTEMPTS, signal });
      await ledger.alerts.told(alerts);
      log.info(about, `Told: ${message.title}`);
    } catch (error) {
      await ledger.alerts.postpone(alerts, signal.aborted ? 0 : retryDelay(attempts + 1, later));
      if (signal.aborted) return;
      const { code, message } = toCodedError(error);
      log.warn({ ...about, code }, `${message} It is tried again later.`);
    }
  }

  function watch(syncs: readonly SyncConfig[]): () => void {
    const everyMs = config?.everyMs ?? Number.POSITIVE_INFINITY;
    const lookMs = Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, everyMs / LOOKS));
    timer ??= setInterval(() => {
      round ??= look(syncs).finally(() => {
        round = undefined;
      });
    }, lookMs);
    return () => clearInterval(timer);
  }

  async function look(syncs: readonly SyncConfig[]): Promise<void> {
    for (const sync of syncs) {
      if (closing.signal.aborted) return;
      try {
        await ledger.runs.endLeftAlone(sync.name);
      } catch (error) {
        log.warn({ sync: sync.name, err: error }, 'The ledger did not say whether a run was left alone.');
      }
      await check(sync, closing.signal);
    }
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    closing.abort();
    await round;
    await Promise.all(channels.map((channel) => channel.close()));
  }
}

function channelsOf({ webhook, email }: AlertsConfig, userAgent: string): Channel[] {
  return [
    ...(webhook ? [createWebhookChannel(webhook, userAgent)] : []),
    ...(email ? [createEmailChannel(email)] : []),
  ];
}
