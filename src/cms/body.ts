import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { messageOf } from '../core/errors.ts';

const decoders = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** A body cannot be unpacked. */
export class UnpackError extends Error {}

/**
 * Decodes a body. The client asks for no compression, but some proxies compress every response, even without saying so. JSON may
 * begin with a byte order mark.
 * @param maxBytes the largest body, unpacked
 * @throws UnpackError, also if the body is larger
 */
export function decodeBody(
  chunks: readonly Buffer[],
  encodings: string | string[] | undefined,
  maxBytes: number,
): string {
  const [only, ...others] = chunks;
  let body = only !== undefined && others.length === 0 ? only : Buffer.concat(chunks);
  for (const name of String(encodings ?? '')
    .toLowerCase()
    .split(',')
    .reverse()) {
    const decode = isGzip(body) ? gunzipSync : decoders.get(name.trim());
    if (decode && body.length > 0) body = unpacked(() => decode(body, { maxOutputLength: maxBytes }));
  }
  const text = body.toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

function unpacked(decode: () => Buffer): Buffer {
  try {
    return decode();
  } catch (cause) {
    throw new UnpackError(`its compressed body cannot be unpacked: ${messageOf(cause)}`, { cause });
  }
}
