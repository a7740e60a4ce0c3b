import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../../core/errors.ts';

/**
 * Refuses requests that a browser sends for another website. Programs send neither `Origin` nor `Sec-Fetch-Site`.
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
  // Browsers send this header over https and to loopback only. It is right even if a proxy changes the Host header.
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  return from !== undefined && (from.host === host || from.origin === (publicUrl && new URL(publicUrl).origin));
}

/** Returns whether the browser uses TLS (a trusted proxy in front of this server decrypts the requests). */
export function isHttps({ protocol }: FastifyRequest, publicUrl: string | undefined): boolean {
  return protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
}

/** Returns a path of this server; `/` for everything else, so that a link cannot lead to another website. */
export function localPath(path: string | undefined): string {
  const base = 'http://localhost';
  if (path === undefined || !URL.canParse(path, base)) return '/';
  const { origin, pathname, search } = new URL(path, base);
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}
