import type { EmailConfig } from '../config/types.ts';
import { CodedError, messageOf } from '../core/errors.ts';
import { isLoopback } from '../core/network/loopback.ts';
import { masked } from '../core/text/masked.ts';
import { SEND_TIMEOUT_MS, type Send } from './channel.ts';
import type { AlertMessage } from './message.ts';

/** A mail to people who all see each other. */
export interface Mail {
  /** Stays the same if the mail is sent again. */
  id: string;
  to: readonly string[];
  subject: string;
  /** People who read what is answered; absent: the sender. */
  replyTo?: readonly string[];
  text: string;
  html?: string;
  attachments?: ReadonlyArray<{ filename: string; content: string; contentType: string }>;
}

/** Sends mails. A password is sent over TLS only, except on this machine. */
export function createMailer({ from, smtp }: Pick<EmailConfig, 'from' | 'smtp'>): Send<Mail> {
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
  return async ({ id, to, replyTo = [], attachments = [], ...content }, signal) => {
    // Loaded only when a message is sent, which is rare.
    const { createTransport } = await import('nodemailer');
    try {
      // Each message has its own connection.
      const { response, rejected } = await createTransport(server).sendMail({
        ...{
          from: replyTo.length > 0 ? named(from) : from,
          to: [...to],
          replyTo: [...replyTo],
          ...content,
          attachments: [...attachments],
        },
        headers: { 'Auto-Submitted': 'auto-generated' },
        messageId: `<${id}@${domainOf(from)}>`,
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
      });
      const refused = rejected.length > 0 ? `; refused: ${rejected.map(String).join(', ')}` : '';
      return masked(`${response}${refused}`);
    } catch (error) {
      signal.throwIfAborted();
      const problem = `The mail server did not accept the message: ${masked(messageOf(error)).replace(/\b(\d{3}) (?=\1\b)/, '')}.`;
      throw new CodedError('FF_ALERT_UNSENT', problem.replace(/\.\.$/, '.'), { cause: error, remedy: remedyOf(error) });
    }
  };
}

/** Returns the mail about a message, in plain text. */
export function alertMail({ id, title, text }: AlertMessage, to: readonly string[]): Mail {
  return { id, to, subject: `[feedferry] ${title}`, text: `${title}\n\n${text}\n` };
}

const UNREACHED =
  'Check `host` and `port` of `alerts.email.smtp`, and whether a firewall blocks the connection: usual are port 587, and 465 with `secure: true`.';

const REMEDIES: Partial<Record<string, string>> = {
  EAUTH: 'Correct `user` and `password` of `alerts.email.smtp`.',
  ENOAUTH: 'The mail server wants a log-in: write `user` and `password` under `alerts.email.smtp`.',
  EENVELOPE: 'Correct the address of the recipient, or ask who runs the mail server why it refuses the address.',
  ETLS: 'A password is only sent encrypted: use a port of the mail server with TLS, such as 465 with `secure: true`.',
  ECONNECTION: UNREACHED,
  EDNS: UNREACHED,
  ESOCKET: UNREACHED,
  ETIMEDOUT: UNREACHED,
};

/** What to do about an error of the mail library. */
function remedyOf(error: unknown): string | undefined {
  const { code, command } = error as { code?: string; command?: string };
  if (command === 'MAIL FROM') return 'Write a sender that the mail server accepts: `alerts.email.from`.';
  return REMEDIES[code ?? ''];
}

/** A sender with a name: that of its domain, if `alerts.email.from` has none. */
function named(from: string): string {
  return from.includes('<') ? from : `${domainOf(from)} <${from}>`;
}

/** The domain of `feeds@example.edu` or `Feeds <feeds@example.edu>`. */
function domainOf(mailbox: string): string {
  return mailbox.slice(mailbox.lastIndexOf('@') + 1).replace(/>.*$/s, '');
}
