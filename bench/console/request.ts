import { request } from 'node:http';

export interface Answer {
  status: number;
  /** Until the first byte of the answer, in ms. */
  firstByteMs: number;
  /** Of the body, as it was transferred. */
  bytes: number;
}

/** Loads a page as a browser does. Each viewer has an address of its own, because each may send so many requests a minute. */
export function load(url: string, viewer = 1): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const startedAt = performance.now();
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
  request(url, { headers, localAddress: addressOf(viewer), agent: false }, (response) => {
    const firstByteMs = performance.now() - startedAt;
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, firstByteMs, bytes })).on('error', reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

function addressOf(viewer: number): string {
  return `127.0.1.${viewer}`;
}
