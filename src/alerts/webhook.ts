import { createHmac } from 'node:crypto';
import { Agent } from 'undici';
import type { WebhookConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import { escapeText } from '../core/html/html-text.ts';
import { SEND_TIMEOUT_MS, type Send } from './channel.ts';
import type { AlertMessage } from './message.ts';

/**
 * Sends messages to a web address by POST. Redirects are not followed: the operator did not choose where they lead.
 * @param userAgent name and version of feedferry
 */
export function createWebhook(config: WebhookConfig, userAgent: string): { send: Send; close(): Promise<void> } {
  const agent = new Agent({ connect: { timeout: SEND_TIMEOUT_MS } });
  return { send, close: () => agent.destroy() };

  async function send(message: AlertMessage, signal: AbortSignal): Promise<string> {
    const body = JSON.stringify(config.format === 'slack' ? toSlack(message) : message);
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...config.headers,
      ...(config.secret !== undefined && webhookSignature(body, config.secret, Date.now())),
    };
    const status = await post(body, headers, signal);
    if (status >= 200 && status <= 299) return `status ${status}`;
    throw new CodedError('FF_ALERT_UNSENT', `The webhook responded with status ${status}.`, {
      remedy: remedyOf(status),
    });
  }

  async function post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<number> {
    try {
      const { origin, pathname, search } = new URL(config.url);
      const response = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: 'POST',
        body,
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
      });
      await response.body.dump();
      return response.statusCode;
    } catch (error) {
      signal.throwIfAborted();
      // The address may be a secret, so only the kind of the error is reported.
      const what = (error as { code?: unknown }).code ?? (error as { name?: unknown }).name;
      const remedy = 'Check the address in `alerts.webhook.url`, and whether a firewall blocks the connection.';
      throw new CodedError('FF_ALERT_UNSENT', `The webhook did not respond: ${String(what)}.`, {
        cause: error,
        remedy,
      });
    }
  }
}

/** What to do about an error status; undefined: nothing is known beyond checking the settings. */
function remedyOf(status: number): string | undefined {
  if (status < 400) return 'Redirects are not followed: write the address to which it leads as `alerts.webhook.url`.';
  if (status === 401 || status === 403)
    return 'The webhook refuses the request: correct its token in `url` or `headers`, or `secret`, of `alerts.webhook`.';
  if (status === 404 || status === 410)
    return 'There is no webhook at this address: create it again in the program that receives it, and write its new address as `alerts.webhook.url`.';
  if (status === 429 || status >= 500) return 'Try again later. If it fails then, ask who runs the webhook.';
  return 'The webhook does not understand the message: for Slack, Mattermost and similar programs, write `format: slack`.';
}

/**
 * Returns the headers that prove a request authentic and recent: HMAC-SHA256 (RFC 2104) over time, a dot and the body.
 * @param now in ms since 1970; sent in whole seconds
 */
export function webhookSignature(body: string, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'feedferry-timestamp': timestamp, 'feedferry-signature': `sha256=${signature}` };
}

/** Returns the format of Slack's incoming webhooks and of compatible ones. Markup is escaped. */
function toSlack({ title, text }: AlertMessage): { text: string } {
  return { text: `*${escapeText(title)}*\n${escapeText(text)}` };
}
