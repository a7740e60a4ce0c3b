import type { AlertMessage } from './message.ts';

/** How long one attempt to tell somebody may take, in ms. */
export const SEND_TIMEOUT_MS = 10_000;

/** A way to tell somebody. */
export interface Channel {
  /** Names it in the ledger: each has a memory of its own. */
  readonly name: 'webhook' | 'email';
  /** @throws CodedError FF_ALERT_UNSENT, without secrets in its message; the signal's reason where that is aborted */
  send(message: AlertMessage, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
