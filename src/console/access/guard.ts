import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import { machineUser } from '../../app/machine-user.ts';
import { CodedError } from '../../core/errors.ts';
import { isSameSecret } from '../../core/hash.ts';
import { createCap } from './rate-cap.ts';
import { formToken, sessionOf, type Tokens } from './session.ts';
import { mayDo, roles, type Viewer, type ViewerRole } from './viewer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request. */
    viewer: Viewer;
  }
}

const CHALLENGES = ['Bearer realm="feedferry"', 'Basic realm="feedferry", charset="UTF-8"'];
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** Limit for wrong tokens from one address. */
const FAILURES = { requests: 20, windowMs: 60_000 };

export type Guard = ReturnType<typeof createGuard>;

/**
 * Decides who has access: if tokens are configured, requests with a token or a session; otherwise, requests from this machine.
 * @param key key of session cookies and form tokens
 */
export function createGuard(tokens: Tokens, key: Buffer) {
  const isOpen = roles.every((role) => tokens[role] === undefined);
  const failures = createCap(FAILURES);
  return { isOpen, roleOf, viewerOf, accessHook, formHook };

  /** Returns the role of a token; undefined if the token is wrong. After many wrong tokens, refuses all tokens for a while. */
  function roleOf(token: string, request: FastifyRequest, reply: FastifyReply): ViewerRole | undefined {
    failures.refuse(request, reply);
    const role = roles.findLast((each) => tokens[each] !== undefined && isSameSecret(token, tokens[each]));
    if (role === undefined) failures.add(request, reply);
    return role;
  }

  /**
   * Returns the sender of a request, found by its token (a Bearer token, RFC 6750, or the password of any user, RFC 7617), or
   * else by its session.
   */
  function viewerOf(request: FastifyRequest, reply: FastifyReply): Viewer | undefined {
    const via = isApi(request) ? 'api' : 'console';
    if (isOpen) return { name: machineUser(), role: 'approve', via, csrfToken: formToken(key, '') };
    if (request.headers.authorization !== undefined) {
      const { user, token } = credentialsOf(request.headers.authorization);
      const role = token === undefined ? undefined : roleOf(token, request, reply);
      return role && { name: user || `token of ${role}`, role, via, csrfToken: formToken(key, role) };
    }
    const session = sessionOf(request);
    if (!session) return undefined;
    return { name: session.name, role: session.role, via, csrfToken: formToken(key, session.id), hasSession: true };
  }

  /**
   * Admits requests with access. Requests for pages without access are redirected to the log-in.
   * If no token is configured, the server listens on loopback and only admits requests to a loopback name. Otherwise a website
   * in a browser on this machine could use its own host name, resolve the name to 127.0.0.1, and send requests.
   */
  async function accessHook(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // Only the Host header counts: a script in a browser can also send the headers that a proxy would add.
    if (isOpen && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new CodedError('FF_HTTP_UNAUTHORIZED', 'Without HTTP_TOKEN, only localhost and 127.0.0.1 are served.');
    }
    const viewer = viewerOf(request, reply);
    if (viewer) {
      request.viewer = viewer;
      return;
    }
    if (isPage(request)) return toLogIn(request, reply);
    // With this header, a browser would ask for a password although the page asks for one.
    if (request.headers['sec-fetch-site'] !== 'same-origin') reply.header('www-authenticate', CHALLENGES);
    throw new CodedError('FF_HTTP_UNAUTHORIZED', 'The request has no valid token.');
  }

  /** Requires the form token for requests that a browser may send without its user: forms, and all requests with a session. */
  async function formHook(request: Parameters<preHandlerAsyncHookHandler>[0]): Promise<void> {
    const { method, headers, body, viewer } = request;
    if (method === 'GET' || method === 'HEAD') return;
    const isForm = FORM.test(headers['content-type'] ?? '');
    if (!isForm && (isOpen || headers.authorization !== undefined)) return;
    const given = headers['x-csrf-token'] ?? (body as { csrf?: unknown } | undefined)?.csrf;
    if (typeof given === 'string' && isSameSecret(given, viewer.csrfToken)) return;
    throw new CodedError('FF_HTTP_FORGED', 'The form is of an earlier session, or of another website.');
  }
}

/** Admits viewers with a role, or with a role that includes it. */
export function needs(role: ViewerRole): onRequestAsyncHookHandler {
  return async ({ viewer }) => {
    if (mayDo(viewer, role)) return;
    throw new CodedError('FF_HTTP_FORBIDDEN', `This needs the role "${role}"; you have "${viewer.role}".`);
  };
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
  const to = isPart ? String(around).replace(/^\w+:\/\/[^/]*/, '') : request.url;
  const logIn = `/login?${new URLSearchParams({ to: request.method === 'GET' ? to : '/' })}`;
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
