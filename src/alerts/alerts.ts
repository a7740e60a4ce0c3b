import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { SyncConfig } from '../config/types.ts';
import { toCodedError } from '../core/errors.ts';
import { type Pauses, retryDelay } from '../core/retry.ts';
import { systemClock } from '../core/runtime/clock.ts';
import type { SyncHealth } from '../ledger/runs/sync-health.ts';
import { testDigest } from './digests/compose.ts';
import { alertMail, createMailer } from './email.ts';
import { type HeardSync, type Hearer, hearersOf, recipientsOf } from './hearers.ts';
import { type DueAlerts, testMessage } from './message.ts';
import { createWebhook } from './webhook.ts';
import { alertWriter } from './write-alerts.ts';
import { digestWriter, mailOf } from './write-digests.ts';
import type { Writer, WriterContext } from './writer.ts';

/** Longer than it takes to send all messages that can be due for one sync. */
const LEASE_MS = 180_000;
/** Attempts in a row. If all fail, the next process that checks the sync tries again later. */
const ATTEMPTS = { retries: 2, minTimeout: 500, factor: 3 };
const LATER: Pauses = { backoffMs: 30_000, maxBackoffMs: 900_000 };
/** The longest time between two checks of the syncs, which are checked several times in `every`. */
const LONGEST_PAUSE_MS = 30_000;
const SHORTEST_PAUSE_MS = 500;
const CHECKS = 4;
/** Longer than any server may take to answer. */
const LONGEST_TEST_MS = 60_000;

export interface AlertsOptions extends Omit<WriterContext, 'config'> {
  /** Absent: no alerts are sent. */
  config: WriterContext['config'] | undefined;
  log: Logger;
  /** Name and version of feedferry. */
  userAgent: string;
  /** Pauses after failed attempts; default: 30 s, doubling up to 15 min. */
  later?: Pauses;
}

/** What came of a test message. */
export interface Tested {
  /** The recipient of an e-mail, or `webhook`. */
  to: string;
  isSent: boolean;
  /** What the server said, or why the message could not be sent and what to do. */
  answer: string;
}

export type Alerts = ReturnType<typeof createAlerts>;

/** Whether a sync has a file without mistakes. */
function isWhole(sync: HeardSync): sync is SyncConfig {
  return sync.source !== undefined;
}

/** Sends alerts about syncs. Errors are logged, never thrown: no run fails because of them. */
export function createAlerts({ config, log, userAgent, later = LATER, ...rest }: AlertsOptions) {
  const { ledger } = rest;
  const webhook = config?.webhook && createWebhook(config.webhook, userAgent);
  const mailer = config?.email && createMailer(config.email);
  const everyMs = config?.everyMs ?? Number.POSITIVE_INFINITY;
  const judged = new Map<string, string>();
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, everyMs / CHECKS));
  return { check, test, pauseMs, close: async () => webhook?.close() };

  /** Checks the state of a sync and sends the messages that are due. After an abort, the rest is sent later. */
  async function check(sync: HeardSync, signal: AbortSignal): Promise<void> {
    const hearers = config ? hearersOf(sync, config) : [];
    if (hearers.length === 0 || signal.aborted) return;
    try {
      const health = await ledger.alerts.health(sync.name);
      for (const hearer of hearers) {
        const writer = writerFor(hearer, sync, health);
        if (writer && (await writer.note())) await sendDue(sync.name, hearer, writer, signal);
      }
    } catch (error) {
      log.warn({ sync: sync.name, err: error }, 'Could not check whether alerts of a sync are due.');
    }
  }

  function writerFor(hearer: Hearer, sync: HeardSync, health: SyncHealth): Writer | undefined {
    if (!config) return undefined;
    const context = { ...rest, config };
    const { channel } = hearer;
    if (hearer.is === 'webhook') return webhook && alertWriter(sync, health, { channel, send: webhook.send }, context);
    if (!mailer) return undefined;
    if (hearer.is === 'owner')
      return isWhole(sync)
        ? digestWriter(
            { sync, owner: hearer.owner, channel },
            health,
            { mailer, replyTo: hearer.replyTo, judged },
            rest,
          )
        : undefined;
    const send = (message: Parameters<typeof alertMail>[0], signal: AbortSignal) =>
      mailer(alertMail(message, hearer.to), signal);
    return alertWriter(sync, health, { channel, send }, context);
  }

  async function sendDue(sync: string, hearer: Hearer, writer: Writer, signal: AbortSignal): Promise<void> {
    const to = recipientsOf(hearer).map(({ channel }) => channel);
    const due = await ledger.alerts.claim(sync, hearer.channel, { everyMs: writer.everyMs, leaseMs: LEASE_MS });
    const [firstOver, ...restOver] = due.filter(({ isOver }) => isOver);
    for (const alert of due.filter(({ isOver }) => !isOver)) await send([alert], to, writer, signal);
    if (firstOver) await send([firstOver, ...restOver], to, writer, signal);
  }

  async function send(alerts: DueAlerts, to: readonly string[], writer: Writer, signal: AbortSignal): Promise<void> {
    const [{ sync, channel, kind, attempts }] = alerts;
    const about: Record<string, string | undefined> = { sync, channel, kind };
    try {
      const { title, run, reported, send: sendOnce } = await writer.write(alerts);
      about.run = run;
      await pRetry(() => sendOnce(signal), { ...ATTEMPTS, signal });
      await ledger.alerts.markSent(alerts, reported);
      await ledger.alerts.noteSending(sync, to, 'sent_at');
      log.info(about, `Alert sent: ${title}`);
    } catch (error) {
      await ledger.alerts.postpone(alerts, signal.aborted ? 0 : retryDelay(attempts + 1, later, systemClock));
      if (signal.aborted) return;
      const { code, message } = toCodedError(error);
      await ledger.alerts.noteSending(sync, to, 'failed_at', message);
      log.warn({ ...about, code }, `${message} It will be sent later.`);
    }
  }

  /**
   * Sends a test message to each hearer, and by e-mail to each recipient.
   * @param sync whose own recipients and owners get it, too; absent: those in feedferry.yaml
   */
  async function test(sync?: HeardSync): Promise<Tested[]> {
    const signal = AbortSignal.timeout(LONGEST_TEST_MS);
    const tested: Tested[] = [];
    for (const hearer of config ? hearersOf(sync ?? { name: '' }, config) : []) {
      const results = await Promise.all(
        testsOf(hearer, sync?.name).map(async ({ to, channel, send: sendOnce }): Promise<Tested> => {
          const result = await sendOnce(signal).then(
            (answer = '') => ({ to, isSent: true, answer }),
            (error: unknown) => {
              const { message, remedy } = toCodedError(error);
              return { to, isSent: false, answer: `${message} ${remedy}` };
            },
          );
          const failure = result.isSent ? null : result.answer;
          const noted = failure === null ? 'tested_at' : 'failed_at';
          await ledger.alerts.noteSending(sync?.name ?? '', [channel], noted, failure);
          return result;
        }),
      );
      tested.push(...results);
    }
    return tested;
  }

  /** The test messages for a hearer: to each recipient of e-mails one. */
  function testsOf(hearer: Hearer, sync: string | undefined) {
    const message = testMessage(sync);
    return recipientsOf(hearer).map(({ to, channel }) => {
      if (hearer.is === 'webhook')
        return { to, channel, send: async (signal: AbortSignal) => webhook?.send(message, signal) };
      const mail =
        hearer.is === 'email'
          ? alertMail(message, [to])
          : { id: message.id, ...mailOf(testDigest(sync ?? '', hearer.owner), hearer.owner, hearer.replyTo) };
      return { to, channel, send: async (signal: AbortSignal) => mailer?.(mail, signal) };
    });
  }
}
