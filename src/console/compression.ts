import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { onSendAsyncHookHandler } from 'fastify';

const LEAST_BYTES = 1_000;
const COMPRESSED = /^(text\/|application\/(openmetrics|json))/;

const zip = promisify(gzip);

/**
 * Compresses texts. What a response repeats of its request cannot reveal the secrets beside it by its size: browsers send the
 * session with no request of another website.
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
