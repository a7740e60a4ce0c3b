import { z } from 'zod';
import { boolean, duration, number, text } from './scalars.ts';
import { oneOrMore, rewritten } from './written.ts';

/** Kinds of alerts, the gravest first; `stale` means that a sync had no success for too long. */
export const alertKinds = ['failed', 'held', 'drift', 'empty', 'partial', 'stale'] as const;

const DEFAULT_PORTS = { smtp: 587, smtps: 465 };

const kinds = z.array(z.enum(alertKinds));

const staleAfter = z.union([
  number(z.number().int().min(1).max(1000)).transform((intervals) => ({ intervals })),
  duration.transform((ageMs) => ({ ageMs })),
]);

/** The keys of `alerts.webhook`. */
export const webhookKeys = z.strictObject({
  url: z
    .string()
    .superRefine(mustBeWebAddress)
    .describe('http(s) address that gets a POST; it may be in a private network; redirects are not followed'),
  secret: text.optional().describe('signs the requests: `${ALERT_SECRET}`'),
  format: z
    .enum(['json', 'slack'])
    .default('json')
    .describe('`json`, or `slack` for Slack, Mattermost and others with the same webhooks'),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'must be the name of an HTTP header'),
      z.string().regex(/^[\t\x20-\x7e]*$/, 'must be a header value: printable characters on one line'),
    )
    .default({})
    .meta({ description: 'more headers: `{ Authorization: "Bearer ${ALERT_TOKEN}" }`', absent: 'none' }),
});

/** The keys of `alerts.email.smtp`. */
export const smtpKeys = z.strictObject({
  host: text.describe('name or address of the mail server'),
  port: number(z.number().int().min(1).max(65_535))
    .optional()
    .meta({ description: 'its port', absent: '`587`; with `secure`: `465`' }),
  secure: boolean
    .default(false)
    .describe('TLS from the first byte; otherwise STARTTLS if the server offers it, and always before a password'),
  user: text.optional().describe('user name, with a password'),
  password: text.optional().describe('`${SMTP_PASSWORD}`'),
});

const smtp = rewritten(
  (value, context) => (typeof value === 'string' ? fromMailAddress(value, context) : value),
  smtpKeys.transform(({ host, port, secure, user, password }, context) => {
    if ((user === undefined) !== (password === undefined)) context.addIssue('needs both user and password, or neither');
    return {
      host,
      port: port ?? (secure ? DEFAULT_PORTS.smtps : DEFAULT_PORTS.smtp),
      secure,
      ...(user !== undefined && password !== undefined && { auth: { user, password } }),
    };
  }),
  z.union([z.string(), smtpKeys]),
);

const mailbox = z.string().regex(/^[^\r\n]*[^\s@]@[^\s@]+$/, 'must be an e-mail address, such as feeds@example.edu');

/** The keys of `alerts.email`. */
export const emailKeys = z.strictObject({
  from: mailbox.describe('sender: `feeds@example.edu`, or `Feeds <feeds@example.edu>`'),
  to: oneOrMore(mailbox).describe('recipients: one address or a list'),
  smtp: smtp.describe('the mail server'),
});

/** The keys of `alerts`. */
export const alertsKeys = z.strictObject({
  on: kinds
    .default([...alertKinds])
    .describe('what to report: `failed`, `held` and `partial` runs, `drift` in the CMS, `empty` feeds, `stale` syncs'),
  webhook: webhookKeys.optional().describe('an address that gets a POST, see below'),
  email: emailKeys.optional().describe('people who get an e-mail, see below'),
  every: duration.default(3_600_000).meta({
    description: 'at most one message of each kind about each sync in this time; the next one counts what was left out',
    absent: '`1h`',
  }),
  staleAfter: staleAfter.default({ intervals: 3 }).meta({
    description:
      'a sync is stale after this many intervals of its schedule without a success, or after this time: `6h`',
    absent: '`3`',
  }),
});

export const alerts = alertsKeys.transform(({ every, ...rest }, context) => {
  if (!rest.webhook && !rest.email) context.addIssue('needs webhook, email or both');
  return { ...rest, everyMs: every };
});

/** Settings of a sync that override the alerts of all syncs. */
export const syncAlerts = z.union([
  z.literal(false),
  z.strictObject({
    on: kinds.optional(),
    staleAfter: staleAfter.optional(),
    email: z.strictObject({ to: oneOrMore(mailbox) }).optional(),
  }),
]);

/** The keys of `owner`. */
export const ownerKeys = z.strictObject({
  email: z
    .string()
    .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an e-mail address, such as rosa@example.org')
    .describe('where the digests go'),
  name: text.optional().meta({ description: 'the person or office, for the greeting', absent: 'none' }),
  language: z
    .string()
    .regex(/^[a-z]{2,3}([-_]\w+)*$/i, 'must be a language, such as de')
    .default('en')
    .describe('`en`, `de`, `fr` or `es`; others get English'),
  every: duration.default(86_400_000).meta({ description: 'at most one digest in this time', absent: '`1d`' }),
  linkDays: number(z.number().int().min(1).max(365)).default(30).describe('how many days a link in a digest works'),
});

/** The people who keep a feed; users may write an address alone. */
export const owner = oneOrMore(
  rewritten(
    (value) => (typeof value === 'string' ? { email: value } : value),
    ownerKeys,
    z.union([z.string(), ownerKeys]),
  ),
);

function mustBeWebAddress(value: string, context: z.RefinementCtx): void {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) context.addIssue('must be an http:// or https:// address');
  else if (url.username || url.password)
    context.addIssue('must be an address without a user name; use headers instead');
}

/** Converts `smtp://user:password@host:port`, with percent-encoded user and password, to the keys of `smtp`. */
function fromMailAddress(value: string, context: z.RefinementCtx): unknown {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const credentials = url && unescaped([url.username, url.password]);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !credentials) {
    context.addIssue('must be an smtp:// or smtps:// address, or { host, port, user, password }');
    return z.NEVER;
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    secure: url.protocol === 'smtps:',
    ...(url.port && { port: Number(url.port) }),
    ...(url.username && { user: credentials[0], password: credentials[1] }),
  };
}

function unescaped(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
