import type { AlertMessage } from './message.ts';

/** How long one attempt to send a message may take, in ms. */
export const SEND_TIMEOUT_MS = 10_000;

/** A way to send messages. */
export interface Channel {
  /** Name of the channel in the ledger, which stores alerts for each channel. */
  readonly name: 'webhook' | 'email';
  /** @throws CodedError FF_ALERT_UNSENT, without secrets in its message; the reason of an aborted signal */
  send(message: AlertMessage, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
