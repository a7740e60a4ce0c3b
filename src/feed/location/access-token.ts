import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { CodedError, messageOf, TransientError } from '../../core/errors.ts';
import { isObject, parseJson } from '../../core/record.ts';
import type { FeedSettings } from '../content/feed-options.ts';
import { type HttpResponse, httpRequest } from './http-request.ts';
import { type Credentials, type Login, redactUrl } from './location.ts';
import { isPrivateAddress, isPrivateName, PrivateAddressError } from './private-address.ts';
import { RefusedError, shortLine, withMaskedSecrets } from './refusal.ts';

type Settings = Pick<FeedSettings, 'timeoutMs' | 'retries' | 'allowPrivateNetwork' | 'signal'>;

interface Token {
  bearer: string;
  /** When the token is no longer used, in ms since 1970; a little before it ends. */
  usedUntil: number;
}

/** What is sent to the server that issues tokens. */
interface TokenRequest {
  url: string;
  fields: Record<string, string>;
  auth?: Credentials;
  secrets: readonly string[];
}

/** A token is renewed so long before it ends, in ms; a short one after three quarters of its time. */
const MARGIN_MS = 60_000;
const MAX_BYTES = 100_000;
const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token';
const CHECK = 'Compare `source.auth` with what the operator of the feed has given you.';
const NO_ACCOUNT =
  'Create a JSON key for the service account in the Google Cloud console, and name its file with `keyFile`, or its text with `key`.';

/** The tokens of this process by their log-ins, also those that are being requested. */
const tokens = new Map<string, Promise<Token>>();

/**
 * Sends a request with the access token of a log-in. If the server of the feed refuses the token (401), sends the request once more
 * with a new one.
 * @throws CodedError FF_FEED_LOGIN if there is no token; what the request throws
 */
export async function withAccessToken<Result>(
  login: Login,
  settings: Settings,
  { origin }: URL,
  send: (auth: Credentials) => Promise<Result>,
): Promise<Result> {
  const bearer = await accessToken(login, settings);
  try {
    return await send({ bearer });
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 401 || error.url.origin !== origin) throw error;
    return send({ bearer: await accessToken(login, settings, bearer) });
  }
}

/** Returns the token that this process has, or a new one. Requests at the same time wait for the same token. */
async function accessToken(login: Login, settings: Settings, refused?: string): Promise<string> {
  const key = JSON.stringify(login);
  const known = tokens.get(key);
  // The failure or abort of another request does not count here.
  const token = await known?.catch(() => undefined);
  if (token !== undefined && token.bearer !== refused && Date.now() < token.usedUntil) return token.bearer;
  const started = tokens.get(key);
  const current = started === undefined || started === known ? requestToken(login, settings) : started;
  tokens.set(key, current);
  try {
    return (await current).bearer;
  } catch (error) {
    if (tokens.get(key) === current) tokens.delete(key);
    throw error;
  }
}

async function requestToken(login: Login, settings: Settings): Promise<Token> {
  const request = login.type === 'oauth2' ? clientCredentials(login) : await serviceAccount(login);
  const url = checkedUrl(request.url);
  const { timeoutMs, retries, allowPrivateNetwork, signal } = settings;
  const options = { timeoutMs, retries, allowPrivateNetwork, signal, accept: 'application/json', auth: request.auth };
  const body = new URLSearchParams(request.fields).toString();
  try {
    const response = await httpRequest(url, { ...options, method: 'POST', body });
    return tokenIn(await textOf(response, url), url, request.secrets);
  } catch (error) {
    signal?.throwIfAborted();
    throw toLoginError(error, url, request.secrets);
  }
}

/** RFC 6749, 4.4. */
function clientCredentials(login: Extract<Login, { type: 'oauth2' }>): TokenRequest {
  const { tokenUrl, clientId, clientSecret, credentials, scope, audience, resource } = login;
  const given = Object.entries({ scope, audience, resource }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  const fields = { grant_type: 'client_credentials', ...Object.fromEntries(given) };
  const secrets = [clientSecret];
  if (credentials === 'body')
    return { url: tokenUrl, fields: { ...fields, client_id: clientId, client_secret: clientSecret }, secrets };
  const [user, password] = [formEncoded(clientId), formEncoded(clientSecret)];
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return { url: tokenUrl, fields, auth: { user, password }, secrets: [...secrets, password, basic] };
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** RFC 7523, 2.1. */
async function serviceAccount(login: Extract<Login, { type: 'google-service-account' }>): Promise<TokenRequest> {
  const { name, email, key, keyId, url } = await readAccount(login);
  const now = Math.floor(Date.now() / 1000);
  const { scope, subject } = login;
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { iss: email, scope, aud: url, iat: now, exp: now + 3600, sub: subject };
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  try {
    const assertion = `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
    const fields = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
    return { url, fields, secrets: [assertion] };
  } catch (error) {
    throw loginError(`The private_key of ${name} cannot sign: ${messageOf(error)}.`, NO_ACCOUNT);
  }
}

async function readAccount({ key: given, keyFile }: Extract<Login, { type: 'google-service-account' }>) {
  const name = keyFile ?? 'source.auth.key';
  const text =
    given ??
    (await readFile(keyFile ?? '', 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
      const remedy = 'Correct `keyFile`, and let the user of feedferry read the file.';
      throw loginError(`The key file ${name} cannot be read: ${code ?? message}.`, remedy);
    }));
  const account = parseJson(text);
  const {
    client_email: email,
    private_key: pem,
    private_key_id: keyId,
    token_uri: url,
  } = isObject(account) ? account : {};
  if (typeof email !== 'string' || typeof pem !== 'string')
    throw loginError(
      `${name} is not the JSON key of a service account: it has no client_email and private_key.`,
      NO_ACCOUNT,
    );
  return { name, email, key: privateKey(pem, name), keyId, url: typeof url === 'string' ? url : GOOGLE_TOKENS };
}

function privateKey(pem: string, name: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The message of node:crypto could quote the key.
  }
  throw loginError(`The private_key of ${name} is not an RSA key in PEM format.`, NO_ACCOUNT);
}

/** Secrets are sent without TLS only inside a private network, if the address guard allows that. */
function checkedUrl(address: string): URL {
  const url = URL.parse(address);
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isPrivate = isIP(host) === 0 ? isPrivateName(host) : isPrivateAddress(host);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isPrivate)) return url;
  throw loginError(
    `${url ? redactUrl(url) : 'The address for tokens'} is not an https:// address.`,
    'Correct `tokenUrl`.',
  );
}

async function textOf({ body }: HttpResponse, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES)
      throw loginError(`The answer of ${redactUrl(url)} has more than ${MAX_BYTES} bytes.`, CHECK);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads the answer (RFC 6749, 5.1). */
function tokenIn(text: string, url: URL, secrets: readonly string[]): Token {
  const answer = parseJson(text);
  const from = `The answer of ${redactUrl(url)}`;
  if (!isObject(answer))
    throw loginError(`${from} is not a JSON object.`, 'Correct `tokenUrl`: it must issue access tokens.');
  const { access_token: bearer, token_type: type = 'Bearer', expires_in: seconds } = answer;
  if (typeof answer.error === 'string' && bearer === undefined) throw refusal(answer, url, secrets);
  if (typeof bearer !== 'string' || !/^[\x21-\x7e]+$/.test(bearer)) {
    const names = shortLine(Object.keys(answer).join(', '));
    throw loginError(`${from} has no access_token. It has: ${names || 'nothing'}.`, CHECK);
  }
  if (!/^bearer$/i.test(String(type))) {
    const remedy = 'Ask the operator of the server for bearer tokens: feedferry can send no others.';
    throw loginError(`${from} has a token of the type "${shortLine(String(type))}", not a bearer token.`, remedy);
  }
  // Without a time, the token is used until the server of the feed refuses it.
  const ms = Number(seconds ?? Number.NaN) * 1000;
  const usedUntil = Number.isNaN(ms) ? Number.POSITIVE_INFINITY : Date.now() + ms - Math.min(MARGIN_MS, ms / 4);
  return { bearer, usedUntil };
}

function toLoginError(error: unknown, url: URL, secrets: readonly string[]): CodedError {
  // The remedies for these are in other settings.
  if (error instanceof PrivateAddressError || (error instanceof CodedError && error.code === 'FF_FEED_LOGIN'))
    return error;
  if (error instanceof RefusedError) return refusal(parseJson(error.excerpt), url, secrets, error.status);
  const remedy = `Check \`tokenUrl\`, and whether this machine can reach ${url.host}.`;
  const message = `No access token for the feed: ${withMaskedSecrets(messageOf(error), secrets)}`;
  if (error instanceof TransientError) return new TransientError('FF_FEED_LOGIN', message, { cause: error, remedy });
  return loginError(message, remedy);
}

/** The error for a refusal (RFC 6749, 5.2). The server may repeat secrets in its description. */
function refusal(answer: unknown, url: URL, secrets: readonly string[], status?: number): CodedError {
  const { error, error_description: description } = isObject(answer) ? answer : {};
  const said = [error, description].filter((text) => typeof text === 'string' && text !== '');
  const reason = shortLine(withMaskedSecrets(said.join(': '), secrets)).replace(/\.$/, '');
  const how = status === undefined ? '' : ` with status ${status}`;
  return loginError(
    `${redactUrl(url)} issued no access token${how}${reason && `: ${reason}`}.`,
    remedyFor(error, status),
  );
}

function remedyFor(error: unknown, status: number | undefined): string {
  if (error === 'invalid_scope') return 'Correct `scope` under `source.auth`.';
  if (error === 'invalid_grant') return `${CHECK} Check \`scope\`, \`subject\` and the clock of this machine, too.`;
  if (status === 404 || status === 405) return 'Correct `tokenUrl` under `source.auth`.';
  const isUnknown = error === 'invalid_client' || status === 401;
  return `${CHECK}${isUnknown ? ' If the server expects the client in the body of the request, add `credentials: body`.' : ''}`;
}

function loginError(message: string, remedy: string): CodedError {
  return new CodedError('FF_FEED_LOGIN', message, { remedy });
}
