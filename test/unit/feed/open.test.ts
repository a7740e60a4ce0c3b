import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/hash.ts';
import { readFeeds } from '../../../src/feed/open.ts';
import { local, openFeed, readText, textOf } from '../../support/feeds.ts';
import { folderOf } from '../../support/folder.ts';
import { drip, serve } from './server.ts';

describe('A file', () => {
  const file = (content: string | Uint8Array) => join(folderOf({ 'feed.txt': content }), 'feed.txt');

  test('is read by path or file: URL, with a receipt', async () => {
    const path = file('a,b\n1,é\n');
    for (const location of [path, pathToFileURL(path).href]) {
      const feed = await openFeed(location);
      expect(feed.receipt()).toMatchObject({ complete: false, reason: 'it was not read to the end' });
      expect(await textOf(feed)).toBe('a,b\n1,é\n');
      expect(feed.receipt()).toEqual({
        location: path,
        bytes: 9,
        sha256: sha256('a,b\n1,é\n'),
        charset: 'utf-8',
        durationMs: expect.any(Number),
        complete: true,
      });
    }
  });

  test('is unmodified as long as it has the hash of an earlier reading', async () => {
    const path = file('a,b\n1,2\n');
    const openAgain = () => readFeeds(path, {}, { sha256: sha256('a,b\n1,2\n') }).open();
    expect(await openAgain()).toBe('unmodified');
    appendFileSync(path, '3,4\n');
    expect(await openAgain()).toBe('modified');
    expect(await readFeeds(`${path}*`, {}, { sha256: sha256('a,b\n1,2\n3,4\n') }).open()).toBe('unmodified');
    writeFileSync(`${path}.2`, '5,6\n');
    expect(await readFeeds(`${path}*`, {}, { sha256: sha256('a,b\n1,2\n3,4\n') }).open()).toBe('modified');
  });

  test.each([
    ['that is empty', '', 'FF_FEED_FORMAT', 'is empty'],
    ['that is blank', ' \r\n\t\n', 'FF_FEED_FORMAT', 'is blank'],
    [
      'that is a web page',
      '\n<!-- x -- y -->\n<!----><!DOCTYPE html><html>',
      'FF_FEED_FORMAT',
      'looks like a web page',
    ],
    ['that is a web page in capitals', '<HTML><body>', 'FF_FEED_FORMAT', 'looks like a web page'],
    ['that is an archive without files', 'PK\x03\x04xx', 'FF_FEED_FORMAT', 'ZIP archive'],
    ['that is too large', 'x'.repeat(101), 'FF_FEED_TOO_LARGE', 'more than 100 bytes'],
    ['that is a gzip bomb', gzipSync('x'.repeat(100_000)).subarray(0), 'FF_FEED_TOO_LARGE', 'more than 100 bytes'],
  ])('%s is refused', async (_, content, code, message) => {
    await expect(readText(file(content), { maxBytes: 100 })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('that is missing or not a file is named by its path', async () => {
    const dir = folderOf({});
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

  test('in gzip is unpacked by its magic number, and is incomplete or unreadable if it is cut off', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index},${sha256(String(index))}`).join('\n');
    const packed = gzipSync(lines);
    expect(await readText(file(packed))).toBe(lines);
    const cut = await openFeed(file(packed.subarray(0, packed.length - 1000)));
    const text = await textOf(cut);
    expect(lines.startsWith(text) && text.length > 0).toBe(true);
    expect(cut.receipt()).toMatchObject({ complete: false, reason: expect.stringContaining('damaged or cut off') });
    await expect(readText(file(packed.subarray(0, 12)))).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
  });

  test('in gzip is unreadable if its content does not match its checksum', async () => {
    const packed = gzipSync(Array.from({ length: 50_000 }, (_, index) => sha256(String(index))).join('\n'));
    packed.writeUInt8((packed.at(-8) ?? 0) ^ 1, packed.length - 8);
    await expect(readText(file(packed))).rejects.toMatchObject({
      code: 'FF_FEED_UNREADABLE',
      message: expect.stringContaining('incorrect data check'),
    });
  });

  test('that changes while it is read is incomplete', async () => {
    const path = file(`a,b\n${'1,2\n'.repeat(50_000)}`);
    const feed = await openFeed(path);
    for await (const _ of feed.bytes()) appendFileSync(path, '3,4\n');
    expect(feed.receipt()).toMatchObject({ complete: false, reason: expect.stringContaining('the file changed') });
  });

  test('that is not read to the end is incomplete', async () => {
    const feed = await openFeed(file('x'.repeat(2_000_000)));
    for await (const _ of feed.bytes()) break;
    expect(feed.receipt().complete).toBe(false);
  });
});

describe('A URL', () => {
  test('is requested with headers and credentials; the receipt has validators and no secrets', async () => {
    const { url: base, seen } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=iso-8859-1', etag: '"v1"', 'last-modified': 'Sun' });
      response.end(Buffer.from('caf\xe9', 'latin1'));
    });
    const url = `${base.replace('//', '//me:pa%20ss@')}/private-abc/x.csv?token=secret&x=1#y`;
    const feed = await openFeed(url, { ...local, headers: { 'X-Key': 'k' } });
    expect(await textOf(feed)).toBe('café');
    expect(seen[0]?.headers).toMatchObject({
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
  ])('may have the content encoding %s', async (encoding, encode) => {
    const { url: base } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(encode('a,b\n1,2')),
    );
    expect(await readText(base, local)).toBe('a,b\n1,2');
  });

  test.each([401, 404, 500])('with status %i is refused', async (status) => {
    const { url: base } = await serve((_, response) => response.writeHead(status).end('a,b'));
    await expect(openFeed(`${base}/?key=secret`, local)).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: `${base}/?key=*** returned status ${status}.`,
    });
  });

  test('with a partial response is incomplete', async () => {
    const { url: base } = await serve((_, response) => response.writeHead(206).end('a,b'));
    const feed = await openFeed(base, local);
    await textOf(feed);
    expect(feed.receipt()).toMatchObject({ complete: false, reason: 'status 206 instead of 200' });
  });

  test('whose response is cut off keeps its beginning and is incomplete', async () => {
    const { url: base } = await serve((request, response) => {
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

  test('whose response is cut off at once, or missing, is an error', async () => {
    const { url: base } = await serve((request, response) => {
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

  test('with https on a port without it says so', async () => {
    const { url: base } = await serve((_, response) => response.end('a,b'));
    await expect(openFeed(base.replace('http:', 'https:'), local)).rejects.toThrow(/does not use TLS/);
  });

  test('that drips in is cut off after a total time, which its reader does not use up', async () => {
    const { url: base } = await serve(({ url }, response) => {
      if (url === '/redirect') response.writeHead(302, { location: '/' });
      drip(response);
    });
    for (const path of ['/', '/redirect']) {
      const feed = await openFeed(base + path, { ...local, timeoutMs: 60 });
      await sleep(400);
      expect((await textOf(feed)).length).toBeGreaterThan(1);
      expect(feed.receipt()).toMatchObject({
        complete: false,
        reason: expect.stringContaining('not received within 0.3 s'),
      });
    }
  });

  test('may redirect, up to five times, and another host gets no credentials', async () => {
    const site = await serve(({ url }, response) => {
      if (url === '/a') response.writeHead(302, { location: '/b' }).end();
      else if (url === '/b') response.writeHead(307, { location: `${site.otherUrl.replace('//', '//u:p@')}/c` }).end();
      else if (url === '/loop') response.writeHead(301, { location: '/loop' }).end();
      else if (url === '/bad') response.writeHead(301, { location: 'file:///etc/passwd' }).end();
      else response.end('a,b');
    });
    expect(await readText(`${site.url}/a`, { ...local, headers: { 'x-key': 'k', authorization: 'Bearer t' } })).toBe(
      'a,b',
    );
    expect(site.seen.map(({ url, headers }) => [url, headers['x-key'], headers.authorization])).toEqual([
      ['/a', 'k', 'Bearer t'],
      ['/b', 'k', 'Bearer t'],
      ['/c', undefined, undefined],
    ]);
    await expect(openFeed(`${site.url}/loop`, local)).rejects.toMatchObject({
      message: expect.stringContaining('more than 5 times'),
    });
    await expect(openFeed(`${site.url}/bad`, local)).rejects.toMatchObject({ code: 'FF_FEED_STATUS' });
  });

  test('with a private address, or a name of one, is refused before it is requested', async () => {
    const { url, seen } = await serve((_, response) => response.end('a,b'));
    const { port } = new URL(url);
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
    expect(seen).toEqual([]);
  });

  test('with the scheme webcal is requested by https', async () => {
    await expect(openFeed('webcal://127.0.0.1/x.ics')).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
  });

  test('whose reading is aborted throws, instead of ending early', async () => {
    const { url: base } = await serve((_, response) => {
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
