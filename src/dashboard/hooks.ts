import type { onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../core/errors.ts';
import { isSameSecret } from '../core/hash.ts';

const CHALLENGES = ['Bearer realm="feedferry"', 'Basic realm="feedferry", charset="UTF-8"'];
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i;
const HEALTH = /^\/(healthz|readyz)$/;
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Sets security headers for browsers. */
export const securityHeadersHook: onRequestAsyncHookHandler = async (_request, reply) => {
  reply.headers(HEADERS);
};

/** Limits the requests of one address in a window of time, so that no client keeps the ledger busy or guesses the token. */
export function rateCapHook({ requests, windowMs }: { requests: number; windowMs: number }): onRequestAsyncHookHandler {
  const seen = new Map<string, number>();
  let endsAt = 0;
  return async (request, reply) => {
    // Probes of the process must not fail because of others behind the same address.
    if (HEALTH.test(request.url)) return;
    const now = performance.now();
    if (now >= endsAt) {
      seen.clear();
      endsAt = now + windowMs;
    }
    const count = (seen.get(request.ip) ?? 0) + 1;
    seen.set(request.ip, count);
    if (count <= requests) return;
    reply.header('retry-after', Math.ceil((endsAt - now) / 1000));
    const message = `More than ${requests} requests from one address within ${windowMs / 1000} s.`;
    throw new CodedError('FF_HTTP_TOO_MANY', message);
  };
}

/**
 * Admits requests with the token, as Bearer token (RFC 6750) or as the password of any user (RFC 7617, for browsers).
 * Without a token the server listens on loopback and admits requests to a loopback name only. Otherwise a website in a
 * browser on this machine could send requests through a host name of its own that resolves to 127.0.0.1.
 */
export function accessHook(token: string | undefined): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (token === undefined) {
      if (LOOPBACK_NAME.test(request.hostname)) return;
      throw new CodedError('FF_HTTP_UNAUTHORIZED', 'Without HTTP_TOKEN, only localhost and 127.0.0.1 are served.');
    }
    const given = secretIn(request.headers.authorization);
    if (given !== undefined && isSameSecret(given, token)) return;
    reply.header('www-authenticate', CHALLENGES);
    throw new CodedError('FF_HTTP_UNAUTHORIZED', 'The request has no valid token.');
  };
}

function secretIn(authorization = ''): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
}
