import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import type { EditMode } from '../../app/environment.ts';
import { machineUser } from '../../app/machine-user.ts';
import type { ViewerRole } from '../../core/access/person.ts';
import { sharedSecret } from '../../core/access/shared-secret.ts';
import { CodedError } from '../../core/errors.ts';
import { isSameSecret, sha256 } from '../../core/hash.ts';
import type { AccessList, Credential } from './access-list.ts';
import { addressOf, type Cap, createCap } from './rate-cap.ts';
import { formToken, type SessionStore, sessionIdOf, sessionMark } from './session.ts';
import { mayDo, type Viewer } from './viewer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request. */
    viewer: Viewer;
  }
}

const CHALLENGES = ['Bearer realm="feedferry"', 'Basic realm="feedferry", charset="UTF-8"'];
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
/** Limit for wrong tokens from one address. */
const FAILURES = { requests: 20, windowMs: 60_000 };

export type Guard = ReturnType<typeof createGuard>;

/** What the guard knows of those who have access. */
interface GuardOptions {
  accessList: AccessList;
  sessions: SessionStore;
  /** Header in which a trusted proxy names the person. */
  userHeader: string | undefined;
  isTrustedProxy: ((address: string) => boolean) | undefined;
  /** Limit for one client. */
  rateCap: Cap;
  /** What people with the permission to configure may do. */
  edit: EditMode;
}

/**
 * Decides who has access: if there are tokens or people, requests with a token, of a trusted proxy or of a session; otherwise,
 * requests from this machine.
 */
export function createGuard({ accessList, sessions, userHeader, isTrustedProxy, rateCap, edit }: GuardOptions) {
  const { isOpen } = accessList;
  const ownKey = randomBytes(32);
  const countFailure = createCap(FAILURES);
  const count = createCap(rateCap);
  return { isOpen, credentialOf, viewerOf, accessHook, strangerHook, linkHook, formHook, countFailure };

  /**
   * Returns what a token gives; undefined if the token is wrong. A right token is never refused.
   * @throws CodedError FF_HTTP_TOO_MANY for a wrong token after many wrong ones
   */
  function credentialOf(token: string, request: FastifyRequest, reply: FastifyReply): Credential | undefined {
    const found = accessList.find(token);
    if (!found) countFailure(addressOf(request), reply);
    return found;
  }

  /**
   * Returns the sender of a request: as a trusted proxy names it, or by its token (a Bearer token, RFC 6750, or the password of any
   * user, RFC 7617), or else by its session.
   */
  async function viewerOf(request: FastifyRequest, reply: FastifyReply): Promise<Viewer | undefined> {
    const via = isApi(request) ? 'api' : 'console';
    if (isOpen) return withForms({ name: machineUser(), holder: 'machine', role: 'approve', mayConfigure: true, via });
    const user = userOf(request);
    if (user !== undefined) {
      const found = accessList.named(user);
      if (found) {
        const { role, configure: mayConfigure } = found;
        return withForms({ name: user, holder: `user ${user}`, role, mayConfigure, isNamed: true, via });
      }
      throw new CodedError('FF_HTTP_FORBIDDEN', `The proxy names "${user}", who has no role.`, {
        remedy:
          'Ask the people who run feedferry to give this name a role. They add it to the file of HTTP_TOKENS_FILE.',
      });
    }
    if (request.headers.authorization !== undefined) {
      const { user: typed, token } = credentialsOf(request.headers.authorization);
      const found = token === undefined ? undefined : credentialOf(token, request, reply);
      return found && (await withForms({ ...viewerWith(found, typed), via }));
    }
    return sessionViewer(sessionIdOf(request), via);
  }

  /** The name that a trusted proxy gives; it counts only if the request comes directly from the proxy. */
  function userOf({ headers, socket }: FastifyRequest): string | undefined {
    if (userHeader === undefined || !isTrustedProxy?.(socket.remoteAddress ?? '')) return undefined;
    const value = headers[userHeader];
    return (typeof value === 'string' && value.trim()) || undefined;
  }

  async function sessionViewer(id: string | undefined, via: Viewer['via']): Promise<Viewer | undefined> {
    const session = id === undefined ? undefined : await sessions.find(sha256(id));
    if (id === undefined || !session) return undefined;
    // A token that was changed or removed ends its sessions; a changed role counts at once.
    const found = accessList.all().find(({ tokenHash }) => isSameSecret(sessionMark(id, tokenHash), session.mark));
    if (!found) return undefined;
    return {
      ...viewerWith(found, session.name ?? undefined),
      via,
      csrfToken: formToken(id, 'session'),
      hasSession: true,
    };
  }

  async function withForms(viewer: Omit<Viewer, 'csrfToken'>): Promise<Viewer> {
    return { ...viewer, csrfToken: formToken(await formKey(), viewer.holder) };
  }

  /** All processes with the same tokens, or else with the same ledger, have the same key. */
  async function formKey(): Promise<string | Buffer> {
    const hashes = accessList.all().map(({ tokenHash }) => tokenHash);
    if (hashes.length > 0) return createHmac('sha256', 'feedferry forms').update(hashes.join()).digest();
    return isOpen ? ownKey : ((await sharedSecret('forms', sessions)) ?? ownKey);
  }

  /**
   * Admits requests with access. Requests for pages without access are redirected to the log-in.
   * If no token is configured, the server listens on loopback and only admits requests to a loopback name. Otherwise a website
   * in a browser on this machine could use its own host name, resolve the name to 127.0.0.1, and send requests.
   */
  async function accessHook(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    refuseOtherHosts(request);
    const viewer = await viewerOf(request, reply);
    const address = addressOf(request);
    // Those who have access have a limit of their own: nobody else at their address uses it up.
    count(viewer ? `${address} ${viewer.holder}` : address, reply);
    if (viewer) {
      const mayConfigure = edit === 'off' ? undefined : viewer.mayConfigure;
      request.viewer = { ...viewer, mayConfigure, maySave: edit === 'save' ? mayConfigure : undefined };
      return;
    }
    if (isPage(request)) return toLogIn(request, reply);
    // With this header, a browser would ask for a password although the page asks for one.
    if (request.headers['sec-fetch-site'] !== 'same-origin') reply.header('www-authenticate', CHALLENGES);
    throw new CodedError('FF_HTTP_UNAUTHORIZED', 'The request has no valid token.');
  }

  /** Only the Host header counts: a script in a browser can also send the headers that a proxy would add. */
  function refuseOtherHosts({ headers }: FastifyRequest): void {
    if (!isOpen || LOOPBACK_HOST.test(headers.host ?? '')) return;
    throw new CodedError('FF_HTTP_UNAUTHORIZED', 'Without HTTP_TOKEN, only localhost and 127.0.0.1 are served.');
  }

  /** Limits requests to pages that people open by a link, whoever they are. */
  async function linkHook(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    refuseOtherHosts(request);
    count(addressOf(request), reply);
  }

  /** Limits requests that need no access, and finds out who sends them. */
  async function strangerHook(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    count(addressOf(request), reply);
    const viewer = await viewerOf(request, reply);
    if (viewer) request.viewer = viewer;
  }

  /** Requires the form token for requests that a browser may send without its user: forms, and all requests with a session. */
  async function formHook(request: Parameters<preHandlerAsyncHookHandler>[0]): Promise<void> {
    const { method, headers, body, viewer } = request;
    if (method === 'GET' || method === 'HEAD') return;
    const isForm = FORM.test(headers['content-type'] ?? '');
    if (!isForm && !viewer.hasSession) return;
    const given = headers['x-csrf-token'] ?? (body as { csrf?: unknown } | undefined)?.csrf;
    if (typeof given === 'string' && isSameSecret(given, viewer.csrfToken)) return;
    throw new CodedError('FF_HTTP_FORGED', 'The form is of an earlier session, or of another website.');
  }
}

/** The name of a token counts. A name that was typed counts only with a shared token, and is marked as such. */
function viewerWith(
  { name, role, configure: mayConfigure }: Credential,
  typed: string | undefined,
): Omit<Viewer, 'via' | 'csrfToken'> {
  if (name !== undefined) return { name, holder: `token of ${name}`, role, mayConfigure, isNamed: true };
  return { name: typed ? `${typed} (shared token)` : `token of ${role}`, holder: `shared ${role}`, role };
}

/** Admits viewers with a role, or with a role that includes it. */
export function needs(role: ViewerRole): onRequestAsyncHookHandler {
  return async ({ viewer }) => {
    if (mayDo(viewer, role)) return;
    throw new CodedError('FF_HTTP_FORBIDDEN', `This needs the role "${role}"; you have "${viewer.role}".`);
  };
}

/** Admits people who may draft syncs from feeds. */
export async function configureHook({ viewer }: FastifyRequest): Promise<void> {
  if (viewer.mayConfigure) return;
  throw new CodedError('FF_HTTP_FORBIDDEN', 'This needs the permission "configure".', {
    remedy:
      'Ask the people who run feedferry for it. They add `configure: true` to your name in the file of HTTP_TOKENS_FILE.',
  });
}

/** Returns whether a browser shows the response to its user. */
export function isPage(request: FastifyRequest): boolean {
  return !isApi(request) && (request.headers.accept ?? '').includes('text/html');
}

function isApi({ url }: FastifyRequest): boolean {
  return /^\/(api|metrics)\b/.test(url);
}

/** Redirects to the log-in, which leads back to the page. */
function toLogIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { 'hx-request': isPart, 'hx-current-url': around } = request.headers;
  // A form leads back to its page, which still knows what was typed.
  const from = isPart ? around : request.method === 'GET' ? request.url : (request.headers.referer ?? '/');
  const logIn = `/login?${new URLSearchParams({ to: String(from).replace(/^\w+:\/\/[^/]*/, '') })}`;
  if (isPart) return reply.code(401).header('hx-redirect', logIn).send();
  if (request.headers['sec-fetch-site'] !== 'cross-site') return reply.redirect(logIn, 303);
  // After a link in a webmail, browsers do not send strict cookies. They send them once a page of this server leads on.
  const page = '<!doctype html><html lang="en"><title>feedferry</title><p>Opening feedferry …</p></html>';
  return reply.type('text/html; charset=utf-8').header('refresh', `0;url=${logIn}`).send(page);
}

function credentialsOf(authorization: string): { user?: string; token?: string } {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return { token: credentials };
  if (scheme.toLowerCase() !== 'basic') return {};
  const [, user, token] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return { user, token };
}
