import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { onSendAsyncHookHandler } from 'fastify';

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
