import { CodedError } from '../../core/errors.ts';
import type { PageRefusal } from '../../core/feed.ts';
import { limitParameter, numbersIn } from '../../core/paging/parameters.ts';
import { isObject, parseJson } from '../../core/record.ts';
import { type Credentials, type Login, redactUrl } from './location.ts';

const MAX_EXCERPT = 4000;
const MAX_WAIT_MS = 2000;
const MAX_REASON = 200;
const reasonName = /^(message|detail|error_?description|error_?message|title|error|reason|description)$/i;

/** A refusal that stays: an error status that is not transient. */
export class RefusedError extends CodedError implements PageRefusal {
  readonly status: number;
  readonly excerpt: string;
  /** The address after redirects. */
  readonly url: URL;
  /** The WWW-Authenticate header. */
  readonly challenge: string | undefined;

  constructor({ status, excerpt, url, challenge }: Refusal, message: string, remedy?: string) {
    super('FF_FEED_STATUS', message, { remedy });
    this.status = status;
    this.excerpt = excerpt;
    this.url = url;
    this.challenge = challenge;
  }
}

interface Refusal extends PageRefusal {
  url: URL;
  challenge?: string | undefined;
}

/** What was sent to the host of the feed only. */
export interface Personal {
  headers?: Record<string, string>;
  auth?: Credentials | Login;
  query?: Readonly<Record<string, string>>;
  body?: string;
}

type Sent = Omit<Personal, 'auth'> & { auth?: Credentials };

/** Reads the beginning of the body of an error response. A body that breaks off or takes long is used as far as it came. */
export async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const read = async () => {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_EXCERPT) break;
    }
  };
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, MAX_WAIT_MS);
  // Without its body, the status is sufficient.
  await Promise.race([read().catch(() => undefined), timer.promise]);
  clearTimeout(timeout);
  return text.slice(0, MAX_EXCERPT);
}

/** Returns the reason that a JSON body of an error states. Other bodies may contain anything. */
export function reasonIn(excerpt: string): string | undefined {
  return reasonOf(parseJson(excerpt), 0);
}

function reasonOf(value: unknown, depth: number): string | undefined {
  if (Array.isArray(value)) return reasonOf(value[0], depth + 1);
  if (!isObject(value) || depth > 4) return undefined;
  const entries = Object.entries(value).filter(([name]) => reasonName.test(name));
  const text = entries.find(([, one]) => typeof one === 'string' && one.trim() !== '')?.[1];
  if (typeof text === 'string') return shortLine(text);
  for (const one of Object.values(value)) {
    const reason = reasonOf(one, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Reads what a refusal says besides its message: the schemes and the realm of its challenge (RFC 9110, 11), and the beginning of a
 * body that is not JSON, without markup. The server may repeat secrets.
 */
export function saidBy({ challenge = '', excerpt }: Pick<RefusedError, 'challenge' | 'excerpt'>): {
  schemes: string[];
  realm?: string;
  text?: string;
} {
  const [, realm] = /\brealm="([^"]*)"/i.exec(challenge) ?? [];
  const unquoted = challenge.replace(/"[^"]*"/g, '""');
  const schemes = [...unquoted.matchAll(/(?:^|,)\s*([a-z][\w-]*)(?=\s+[^\s=]|\s*(?:,|$))/gi)].map(
    ([, scheme = '']) => scheme,
  );
  const text = reasonIn(excerpt) === undefined ? plainText(excerpt) : '';
  return { schemes, ...(realm && { realm: plainText(realm) }), ...(text && { text }) };
}

function plainText(markup: string): string {
  const text = markup.replace(/<script\b[^<]*<\/script>|<style\b[^<]*<\/style>|<[^<>]*>?/gi, ' ');
  return shortLine(text);
}

/** Returns a text of a server as messages show it. */
export function shortLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON);
}

/** Adds what the config has to do with a refusal: credentials that another host did not get, or a size of pages. */
export function explainRefusal(error: unknown, home: string | undefined, personal: Personal): unknown {
  if (!(error instanceof RefusedError)) return error;
  const { status, url, message } = error;
  if ((status === 401 || status === 403) && url.origin !== home && hasSecrets(personal)) {
    const withheld = `${message} It is another host than that of source.url: credentials, headers and query were not sent.`;
    const remedy = `If that host should get them, add a sync with \`source.url\` at ${url.host}; otherwise ask the operator of the feed.`;
    return new RefusedError(error, withheld, remedy);
  }
  if ((status === 401 || status === 403) && personal.auth && 'type' in personal.auth) {
    const remedy =
      'The log-in works, but the server of the feed does not accept its token. Correct `scope` under `source.auth`, or ask the operator of the feed for access.';
    return new RefusedError(error, message, remedy);
  }
  const [limit] = numbersIn(url.searchParams, limitParameter);
  if (![400, 413, 416, 422].includes(status) || limit === undefined) return error;
  const { name, value } = limit;
  const setting =
    personal.query?.[name] === undefined ? `\`${name}\` in the address (source.url)` : `source.query.${name}`;
  const remedy = `If the server does not allow ${value} items a page, lower ${setting}, for example to ${smaller(value)}.`;
  return new RefusedError(error, message, remedy);
}

export function hasSecrets({ headers, auth, query, body }: Personal): boolean {
  return [headers, auth, query, body].some((one) => one !== undefined);
}

function smaller(size: number): number {
  return [100, 50, 20, 10].find((usual) => usual < size) ?? 1;
}

/** The message for an error status, with the reason that its body states. Secrets that the server repeats are masked. */
export function refusalMessage(url: URL, status: number, excerpt: string, { headers, auth, query }: Sent): string {
  const secrets = [
    ...Object.values(auth ?? {}),
    ...Object.values(headers ?? {}),
    ...Object.entries(query ?? {}).flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
    ...[...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
  ];
  const hide = (text: string) => withMaskedSecrets(text, secrets);
  // The reason is cut, and JSON may spell a secret in another way: so before and after.
  const reason = hide(reasonIn(hide(excerpt)) ?? '');
  return `${redactUrl(url)} returned status ${status}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`;
}

export function withMaskedSecrets(text: string, secrets: readonly string[]): string {
  return secrets.filter(({ length }) => length > 3).reduce((safe, secret) => safe.replaceAll(secret, '***'), text);
}

function isSecretName(name: string): boolean {
  return /key|token|secret|pass|auth|sig|code|user/i.test(name);
}
