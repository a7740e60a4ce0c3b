import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../../core/errors.ts';

/**
 * Refuses what a browser sends for another website. Programs send neither header.
 * @param publicUrl address of the console for its users, if a proxy is in front of it
 */
export function originHook(publicUrl: string | undefined): onRequestAsyncHookHandler {
  return async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    if (isFromHere(request, publicUrl)) return;
    throw new CodedError('FF_HTTP_FORGED', 'The request was sent by another website.');
  };
}

function isFromHere({ headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  // Only https and loopback have it; it is right whatever a proxy does to the host.
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  return from !== undefined && (from.host === host || from.origin === (publicUrl && new URL(publicUrl).origin));
}

/** Returns whether the browser uses TLS, which a proxy ends. */
export function isHttps({ headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  return headers['x-forwarded-proto'] === 'https' || (publicUrl?.startsWith('https:') ?? false);
}

/** Returns a path of this server; `/` for everything else, so that a link cannot lead to another website. */
export function localPath(path: string | undefined): string {
  const base = 'http://localhost';
  if (path === undefined || !URL.canParse(path, base)) return '/';
  const { origin, pathname, search } = new URL(path, base);
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}
