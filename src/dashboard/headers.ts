import type { onRequestAsyncHookHandler } from 'fastify';

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
