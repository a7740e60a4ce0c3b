import type { AlertMessage } from './message.ts';

/** How long one attempt to send a message may take, in ms. */
export const SEND_TIMEOUT_MS = 10_000;

/**
 * Sends a message.
 * @returns what the server says
 * @throws CodedError FF_ALERT_UNSENT, without secrets in its message; the reason of an aborted signal
 */
export type Send<Message = AlertMessage> = (message: Message, signal: AbortSignal) => Promise<string>;
