import type { onRequestAsyncHookHandler } from 'fastify';

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
