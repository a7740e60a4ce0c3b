import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { local, openFeed, readText, textOf } from '../../support/feeds.ts';

const sha = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'feed-'));
});
afterAll(() => rm(dir, { recursive: true }));

describe('files', () => {
  const file = async (content: string | Uint8Array) => {
    const path = join(dir, `${sha(content).slice(0, 12)}.txt`);
    await writeFile(path, content);
    return path;
  };

  test('a path or file: URL is read whole, with a receipt', async () => {
    const path = await file('a,b\n1,é\n');
    for (const location of [path, pathToFileURL(path).href]) {
      const feed = await openFeed(location);
      expect(feed.receipt()).toMatchObject({ complete: false, reason: 'it was not read to the end' });
      expect(await textOf(feed)).toBe('a,b\n1,é\n');
      expect(feed.receipt()).toEqual({
        location: path,
        bytes: 9,
        sha256: sha('a,b\n1,é\n'),
        charset: 'utf-8',
        durationMs: expect.any(Number),
        complete: true,
      });
    }
  });

  test.each([
    ['empty', '', 'FF_FEED_FORMAT', 'is empty'],
    ['blank', ' \r\n\t\n', 'FF_FEED_FORMAT', 'is blank'],
    ['a web page', '\n<!-- x -->\n<!DOCTYPE html><html>', 'FF_FEED_FORMAT', 'looks like a web page'],
    ['a web page in capitals', '<HTML><body>', 'FF_FEED_FORMAT', 'looks like a web page'],
    ['a spreadsheet', 'PK\x03\x04xx', 'FF_FEED_FORMAT', 'ZIP archive'],
    ['too large', 'x'.repeat(101), 'FF_FEED_TOO_LARGE', 'more than 100 bytes'],
    ['a gzip bomb', gzipSync('x'.repeat(100_000)).subarray(0), 'FF_FEED_TOO_LARGE', 'more than 100 bytes'],
  ])('%s is refused', async (_, content, code, message) => {
    await expect(readText(await file(content), { maxBytes: 100 })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('what is not there or no file names its path', async () => {
    const missing = join(dir, 'no', 'feed.csv');
    await expect(openFeed(missing)).rejects.toMatchObject({
      code: 'FF_FEED_MISSING',
      message: expect.stringContaining(missing),
    });
    await expect(openFeed(dir)).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
    await expect(openFeed('ftp://user:secret@example.com/x')).rejects.toMatchObject({
      code: 'FF_FEED_UNREADABLE',
      message: expect.not.stringContaining('secret'),
    });
  });

  test('gzip is unpacked by its magic number; a cut one is incomplete or unreadable', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index},${sha(String(index))}`).join('\n');
    const packed = gzipSync(lines);
    expect(await readText(await file(packed))).toBe(lines);
    const cut = await openFeed(await file(packed.subarray(0, packed.length - 1000)));
    const text = await textOf(cut);
    expect(lines.startsWith(text) && text.length > 0).toBe(true);
    expect(cut.receipt()).toMatchObject({ complete: false, reason: expect.stringContaining('damaged or cut off') });
    await expect(readText(await file(packed.subarray(0, 12)))).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
  });

  test('leaving early is no complete read', async () => {
    const feed = await openFeed(await file('x'.repeat(2_000_000)));
    for await (const _ of feed.bytes()) break;
    expect(feed.receipt().complete).toBe(false);
  });
});

describe('http', () => {
  let server: Server;
  const serve = async (handler: RequestListener) => {
    server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  test('headers and credentials go out, validators come back, nothing secret shows', async () => {
    let seen: Record<string, unknown> = {};
    const base = await serve((request, response) => {
      seen = request.headers;
      response.writeHead(200, { 'content-type': 'text/csv; charset=iso-8859-1', etag: '"v1"', 'last-modified': 'Sun' });
      response.end(Buffer.from('caf\xe9', 'latin1'));
    });
    const url = `${base.replace('//', '//me:pa%20ss@')}/private-abc/x.csv?token=secret&x=1#y`;
    const feed = await openFeed(url, { ...local, headers: { 'X-Key': 'k' } });
    expect(await textOf(feed)).toBe('café');
    expect(seen).toMatchObject({
      authorization: `Basic ${Buffer.from('me:pa ss').toString('base64')}`,
      'x-key': 'k',
      'user-agent': 'feedferry',
    });
    expect(feed.receipt()).toMatchObject({
      location: `${base}/private-***/x.csv?token=***&x=***`,
      status: 200,
      etag: '"v1"',
      lastModified: 'Sun',
      charset: 'windows-1252',
      complete: true,
    });
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
    ['gzip', (text: string) => gzipSync(gzipSync(text))],
    ['gzip', (text: string) => Buffer.from(text)],
    ['identity', (text: string) => Buffer.from(text)],
  ])('content encoding %s', async (encoding, encode) => {
    const base = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(encode('a,b\n1,2')),
    );
    expect(await readText(base, local)).toBe('a,b\n1,2');
  });

  test.each([401, 404, 500])('status %i is refused', async (status) => {
    const base = await serve((_, response) => response.writeHead(status).end('a,b'));
    await expect(openFeed(`${base}/?key=secret`, local)).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: `${base}/?key=*** returned status ${status}.`,
    });
  });

  test('a part is not complete', async () => {
    const base = await serve((_, response) => response.writeHead(206).end('a,b'));
    const feed = await openFeed(base, local);
    await textOf(feed);
    expect(feed.receipt()).toMatchObject({ complete: false, reason: 'status 206 instead of 200' });
  });

  test('an answer that breaks off keeps its beginning and is incomplete', async () => {
    const base = await serve((request, response) => {
      response.writeHead(200, request.url === '/length' ? { 'content-length': 1000 } : {});
      // Half a character at the break is dropped, not replaced.
      response.write(Buffer.from([0x61, 0x2c, 0x62, 0xc3]), () => response.destroy());
    });
    for (const path of ['/length', '/chunked']) {
      const feed = await openFeed(base + path, local);
      expect(await textOf(feed)).toBe('a,b');
      expect(feed.receipt()).toMatchObject({
        complete: false,
        bytes: 4,
        reason: expect.stringContaining('was cut off after 4 bytes'),
      });
    }
  });

  test('an answer that breaks off at once, or never comes, is an error', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(200, { 'content-length': 1000 });
      response.flushHeaders();
      setImmediate(() => response.destroy());
    });
    await expect(readText(`${base}/`, local)).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
    await expect(openFeed(`${base}/slow`, { ...local, timeoutMs: 50 })).rejects.toMatchObject({
      code: 'FF_FEED_TIMEOUT',
    });
    await expect(openFeed('http://127.0.0.1:1/', local)).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
  });

  test('redirects are followed, without credentials to another host, and not for ever', async () => {
    const seen: Array<[string | undefined, unknown, unknown]> = [];
    const base = await serve((request, response) => {
      const { url, headers } = request;
      seen.push([url, headers['x-key'], headers.authorization]);
      const port = (server.address() as AddressInfo).port;
      if (url === '/a') response.writeHead(302, { location: '/b' }).end();
      else if (url === '/b') response.writeHead(307, { location: `http://u:p@localhost:${port}/c` }).end();
      else if (url === '/loop') response.writeHead(301, { location: '/loop' }).end();
      else if (url === '/bad') response.writeHead(301, { location: 'file:///etc/passwd' }).end();
      else response.end('a,b');
    });
    expect(await readText(`${base}/a`, { ...local, headers: { 'x-key': 'k', authorization: 'Bearer t' } })).toBe('a,b');
    expect(seen).toEqual([
      ['/a', 'k', 'Bearer t'],
      ['/b', 'k', 'Bearer t'],
      ['/c', undefined, undefined],
    ]);
    await expect(openFeed(`${base}/loop`, local)).rejects.toMatchObject({
      message: expect.stringContaining('more than 5 times'),
    });
    await expect(openFeed(`${base}/bad`, local)).rejects.toMatchObject({ code: 'FF_FEED_STATUS' });
  });

  test('private addresses are refused where they are dialled, names too', async () => {
    let requests = 0;
    const base = await serve((_, response) => {
      requests += 1;
      response.end('a,b');
    });
    const { port } = new URL(base);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
    ]) {
      await expect(openFeed(`http://${host}:${port}/`), host).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
    }
    expect(requests).toBe(0);
  });

  test('webcal means https', async () => {
    await expect(openFeed('webcal://127.0.0.1/x.ics')).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
  });

  test('an abort is thrown, not taken for a short feed', async () => {
    const base = await serve((_, response) => {
      response.writeHead(200);
      response.write('a,b\n');
    });
    const abort = new AbortController();
    const feed = await openFeed(base, { ...local, signal: abort.signal });
    const reading = textOf(feed);
    abort.abort();
    await expect(reading).rejects.toThrow(/abort/i);
  });
});
