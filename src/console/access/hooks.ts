import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { onRequestAsyncHookHandler, onSendAsyncHookHandler, preValidationAsyncHookHandler } from 'fastify';
import { CodedError } from '../../core/errors.ts';

/** @param cmsUrl address of the CMS, whose pictures may be loaded without TLS if it has none */
const contentPolicy = (cmsUrl: string | undefined) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The feed decides on which servers the pictures of events are.
  `img-src 'self' https:${cmsUrl?.startsWith('http:') ? ` ${new URL(cmsUrl).origin}` : ''}`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer`, browsers would send forms without an Origin header.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Creates a hook that sets security headers for browsers.
 * @param cmsUrl returns the address of the CMS
 */
export function securityHeadersHook(cmsUrl: () => string | undefined): onRequestAsyncHookHandler {
  return async (_request, reply) => {
    reply.headers({ ...HEADERS, 'content-security-policy': contentPolicy(cmsUrl()).join('; ') });
  };
}

/** Refuses texts with a null character: PostgreSQL cannot compare them with anything, and no name or key has one. */
export const nullCharacterHook: preValidationAsyncHookHandler = async ({ params, query, body }) => {
  if (![params, query, body].some(hasNull)) return;
  throw new CodedError('FF_HTTP_REQUEST', 'The request has a null character (U+0000).');
};

function hasNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(hasNull);
}

const LEAST_BYTES = 1_000;
const COMPRESSED = /^(text\/|application\/(openmetrics|json))/;

const zip = promisify(gzip);

/**
 * Compresses texts. The size of a compressed response cannot reveal secrets to another website: browsers do not send the session
 * with requests that come from another website.
 */
export const compressionHook: onSendAsyncHookHandler<unknown> = async ({ headers }, reply, payload) => {
  if (typeof payload !== 'string' || payload.length < LEAST_BYTES) return payload;
  if (!COMPRESSED.test(String(reply.getHeader('content-type')))) return payload;
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return payload;
  const zipped = await zip(payload);
  reply.header('content-encoding', 'gzip').header('content-length', zipped.length);
  return zipped;
};
