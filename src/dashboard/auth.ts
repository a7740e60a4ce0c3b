import type { onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../core/errors.ts';
import { isSameSecret } from '../core/hash.ts';

const CHALLENGES = ['Bearer realm="feedferry"', 'Basic realm="feedferry", charset="UTF-8"'];
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i;

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
