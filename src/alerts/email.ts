import type { EmailConfig } from '../config/types.ts';
import { CodedError, messageOf } from '../core/errors.ts';
import { isLoopback } from '../core/network/loopback.ts';
import { masked } from '../core/text/masked.ts';
import { type Channel, SEND_TIMEOUT_MS } from './channel.ts';
import type { AlertMessage } from './message.ts';

/** Sends messages by e-mail, in plain text. A password is sent over TLS only, except on this machine. */
export function createEmailChannel({ from, to, smtp }: EmailConfig): Channel {
  const { host, port, secure, auth } = smtp;
  const server = {
    host,
    port,
    secure,
    ...(auth && { auth: { user: auth.user, pass: auth.password }, requireTLS: !secure && !isLoopback(host) }),
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
  };
  return { name: 'email', send, close: async () => {} };

  async function send(message: AlertMessage, signal: AbortSignal): Promise<void> {
    // Loaded only when a message is sent, which is rare.
    const { createTransport } = await import('nodemailer');
    try {
      // Each message has its own connection.
      await createTransport(server).sendMail({
        from,
        to: [...to],
        subject: `[feedferry] ${message.title}`,
        text: `${message.title}\n\n${message.text}\n`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        messageId: `<${message.id}@${domainOf(from)}>`,
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
      });
    } catch (error) {
      signal.throwIfAborted();
      const problem = `The mail server did not accept the message: ${masked(messageOf(error))}.`;
      throw new CodedError('FF_ALERT_UNSENT', problem, { cause: error });
    }
  }
}

/** The domain of `feeds@example.edu` or `Feeds <feeds@example.edu>`. */
function domainOf(mailbox: string): string {
  return mailbox.slice(mailbox.lastIndexOf('@') + 1).replace(/>.*$/s, '');
}
