import { readdirSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../../../../src/core/hash.ts';
import { createAttachmentReader } from '../../../../src/feed/attachments.ts';
import { png } from '../../../e2e/site.ts';
import { temporaryDir } from '../../../support/engines.ts';
import { rememberedFiles } from '../../../support/remote-files.ts';
import { drip, serve } from '../server.ts';

const at = (location: string) => ({ is: 'location' as const, location });
const HALF = 300_000;
/** Large enough that no buffer on the way holds it. */
const large = Buffer.concat([png(1), Buffer.alloc(2 * HALF)]);

/** The system's folder for temporary files, for this test alone. */
function temporaryFiles(): { sizes: () => number[] } {
  const dir = temporaryDir();
  vi.stubEnv('TMPDIR', dir.path);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    dir[Symbol.dispose]();
  });
  const files = () => readdirSync(dir.path, { recursive: true, encoding: 'utf8' }).map((name) => join(dir.path, name));
  return { sizes: () => files().flatMap((path) => (statSync(path).isFile() ? [statSync(path).size] : [])) };
}

function readerOf(options: { maxBytes?: number; timeoutMs?: number; totalMs?: number } = {}) {
  const files = rememberedFiles();
  return { files, reader: createAttachmentReader(files, { allowPrivateNetwork: true, ...options }) };
}

test('A download is written to disk as it arrives, and removed when it is disposed of', async () => {
  const temporary = temporaryFiles();
  let onDisk: number[] = [];
  const server = await serve(async (_, response) => {
    response.write(large.subarray(0, HALF));
    // The rest is sent only once the first half lies on the disk.
    onDisk = await vi.waitUntil(() => temporary.sizes().some((size) => size >= HALF) && temporary.sizes(), 60_000);
    response.end(large.subarray(HALF));
  });
  const { reader } = readerOf();
  const file = await reader.read(at(`${server.url}/a.png`));
  expect(onDisk).toEqual([HALF]);
  expect(file).toMatchObject({ mediaType: 'image/png', sha256: sha256(large) });
  expect(Buffer.from(await file.content.arrayBuffer()).equals(large)).toBe(true);
  expect(temporary.sizes()).toEqual([large.length]);
  await file[Symbol.asyncDispose]();
  expect(temporary.sizes()).toEqual([]);
});

test.each<[string, string, (response: ServerResponse) => void]>([
  ['is too large', 'FF_ATTACHMENT_TOO_LARGE', (response) => response.end(large)],
  ['has the wrong type', 'FF_ATTACHMENT_TYPE', (response) => response.end('<!doctype html>')],
  [
    'is cut off',
    'FF_ATTACHMENT_UNREADABLE',
    (response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write(png(1), () => response.destroy());
    },
  ],
  ['stalls', 'FF_ATTACHMENT_UNREADABLE', (response) => response.write(png(1))],
  ['drips in', 'FF_ATTACHMENT_UNREADABLE', drip],
  ['never comes', 'FF_ATTACHMENT_UNREADABLE', () => undefined],
  ['is missing', 'FF_ATTACHMENT_UNREADABLE', (response) => response.writeHead(404).end()],
])('A file that %s is neither kept nor remembered', async (_, code, answer) => {
  const temporary = temporaryFiles();
  const server = await serve((_request, response) => answer(response));
  const { reader, files } = readerOf({ maxBytes: HALF, totalMs: 300 });
  await expect(reader.read(at(`${server.url}/a.png`))).rejects.toMatchObject({ code });
  expect(temporary.sizes()).toEqual([]);
  expect(files.all.size).toBe(0);
});

test('A server that never responds is asked no more when the time of the file is up', async () => {
  const server = await serve(() => undefined);
  const { reader } = readerOf({ timeoutMs: 100, totalMs: 300 });
  const message = `${server.url}/a.png was not received within 0.3 s.`;
  await expect(reader.read(at(`${server.url}/a.png`))).rejects.toMatchObject({
    ...{ code: 'FF_ATTACHMENT_UNREADABLE', message },
    cause: { code: 'FF_FEED_TIMEOUT' },
  });
  expect(server.seen.length).toBeLessThan(3);
});

test('A download that is aborted leaves nothing', async () => {
  const temporary = temporaryFiles();
  const abort = new AbortController();
  const server = await serve(async (_, response) => {
    response.write(large.subarray(0, HALF));
    await vi.waitUntil(() => temporary.sizes().length > 0, 60_000);
    abort.abort(new Error('enough'));
  });
  const { reader } = readerOf();
  await expect(reader.read(at(`${server.url}/a.png`), abort.signal)).rejects.toThrow('enough');
  expect(temporary.sizes()).toEqual([]);
});

test('A temporary directory that cannot be written makes the file unreadable', async () => {
  vi.stubEnv('TMPDIR', '/nowhere/at/all');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await serve((_, response) => response.end(large));
  await expect(readerOf().reader.read(at(server.url))).rejects.toMatchObject({ code: 'FF_ATTACHMENT_UNREADABLE' });
});

test('A file is identified by its URL, then by its content, and downloaded again only if it has changed', async () => {
  const temporary = temporaryFiles();
  let version = 1;
  const server = await serve((request, response) => {
    const etag = `"v${version}"`;
    const headers = { etag, 'last-modified': 'Sat, 01 Jan 2022 00:00:00 GMT' };
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(png(version));
  });
  const source = at(`${server.url}/a.png`);
  const { reader, files } = readerOf();

  const unknown = await reader.fingerprint(source);
  expect(unknown.fingerprint).toMatch(/^url:[0-9a-f]{64}$/);
  expect(server.seen).toHaveLength(0);

  const file = await reader.read(source);
  await file[Symbol.asyncDispose]();
  expect(file.fingerprint).toBe(`${unknown.fingerprint}:${sha256(png(1))}`);
  expect(await reader.fingerprint(source)).toEqual({ fingerprint: file.fingerprint });
  expect(server.seen.at(-1)?.headers).toMatchObject({
    'if-none-match': '"v1"',
    'if-modified-since': 'Sat, 01 Jan 2022 00:00:00 GMT',
  });

  version = 2;
  const changed = `${unknown.fingerprint}:${sha256(png(2))}`;
  expect(await reader.fingerprint(source)).toEqual({ fingerprint: changed });
  expect([...files.all.values()]).toMatchObject([{ sha256: sha256(png(2)), etag: '"v2"' }]);
  expect(await reader.fingerprint(source)).toEqual({ fingerprint: changed });
  expect(server.seen.at(-1)?.headers).toMatchObject({ 'if-none-match': '"v2"' });
  expect(temporary.sizes()).toEqual([]);
});

test('The same content with new validators is not a change', async () => {
  const server = await serve((_, response, before) => response.writeHead(200, { etag: `"${before}"` }).end(png(1)));
  const { reader, files } = readerOf();
  await using file = await reader.read(at(server.url));
  expect(await reader.fingerprint(at(server.url))).toEqual({ fingerprint: file.fingerprint });
  expect([...files.all.values()]).toMatchObject([{ etag: '"1"' }]);
});

test('A file without validators is identified by its URL and first content', async () => {
  const server = await serve((_, response, before) => response.end(png(before)));
  const { reader } = readerOf();
  await using file = await reader.read(at(server.url));
  expect(await reader.fingerprint(at(server.url))).toEqual({ fingerprint: file.fingerprint });
  expect(server.seen).toHaveLength(1);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ['status 404', (response) => response.writeHead(404).end(), 'status 404'],
  ['status 500, once', (response) => response.writeHead(500).end(), 'status 500'],
  ['no response', () => undefined, 'was not received within 0.3 s'],
  ['a reset', (response) => response.destroy(), 'Cannot read'],
  ['an error page', (response) => response.end('<!doctype html>'), 'may be uploaded'],
  ['a file too large', (response) => response.end(large), 'more than 300000 bytes'],
])('A file keeps its fingerprint, with a warning, if the check gets %s', async (_, fail, reason) => {
  const server = await serve((_request, response, before) => {
    if (before === 0) response.writeHead(200, { etag: '"1"' }).end(png(1));
    else fail(response);
  });
  const { reader, files } = readerOf({ maxBytes: HALF, timeoutMs: 300 });
  await using file = await reader.read(at(`${server.url}/a.png?key=secret`));
  const state = await reader.fingerprint(at(`${server.url}/a.png?key=secret`));
  expect(state).toEqual({ fingerprint: file.fingerprint, warning: expect.stringContaining(reason) });
  expect(state.warning).not.toContain('secret');
  expect(server.seen).toHaveLength(2);
  expect([...files.all.values()]).toMatchObject([{ etag: '"1"' }]);
});

test('An aborted check throws, and is not a failure of the file', async () => {
  const abort = new AbortController();
  const server = await serve((_, response, before) => {
    if (before === 0) response.writeHead(200, { etag: '"1"' }).end(png(1));
    else abort.abort(new Error('enough'));
  });
  const { reader } = readerOf();
  await using file = await reader.read(at(server.url));
  expect(file.fingerprint).toContain('url:');
  await expect(reader.fingerprint(at(server.url), abort.signal)).rejects.toThrow('enough');
});

test('A file from a private network is unknown to readers without access', async () => {
  const server = await serve((_, response) => response.end(png(1)));
  const { reader, files } = readerOf();
  await using file = await reader.read(at(server.url));
  const outsider = await createAttachmentReader(files).fingerprint(at(server.url));
  expect(outsider.fingerprint).toMatch(/^url:[0-9a-f]{64}$/);
  expect(file.fingerprint).not.toContain(outsider.fingerprint);
});
