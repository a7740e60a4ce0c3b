import { createHash } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { safeFileName } from '../../../src/feed/attachments/file-name.ts';
import { createAttachmentReader } from '../../../src/feed/attachments.ts';
import { rememberedFiles } from '../../support/remote-files.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const sha = createHash('sha256').update(png).digest('hex');
const at = (location: string) => ({ is: 'location' as const, location });
const inline = (base64: string) => ({ is: 'inline' as const, base64 });

let dir: string;
let server: Server;
let base: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attachments-'));
  await writeFile(join(dir, 'Hall (1).PNG'), png);
  await writeFile(join(dir, 'photo.gif'), png);
  await writeFile(join(dir, 'drawing.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dir, 'page.pdf'), '<!doctype html><script>alert(1)</script>');
  server = createServer((request, response) => {
    if (request.url?.startsWith('/a%20b.png')) response.writeHead(200, { 'content-type': 'text/html' }).end(png);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true });
});

describe('read', () => {
  test('a file, an address and inline bytes come out alike', async () => {
    const reader = createAttachmentReader(rememberedFiles(), { allowPrivateNetwork: true });
    const expected = { mediaType: 'image/png', sha256: sha };
    const local = await reader.read(at(join(dir, 'Hall (1).PNG')));
    expect(local).toMatchObject({ ...expected, fileName: 'Hall -1.png' });
    expect(Buffer.from(await local.content.arrayBuffer())).toEqual(png);
    expect(await reader.read(at(join(dir, 'photo.gif')))).toMatchObject({ ...expected, fileName: 'photo.gif.png' });
    await using remote = await reader.read(at(`${base}/a%20b.png?token=x`));
    expect(remote).toMatchObject({ ...expected, fileName: 'a b.png' });
    expect(Buffer.from(await remote.content.arrayBuffer())).toEqual(png);
    expect(await reader.read(inline(png.toString('base64')))).toMatchObject({ ...expected, fileName: 'file.png' });
  });

  test.each([
    ['SVG', 'drawing.png', 'FF_ATTACHMENT_TYPE'],
    ['HTML', 'page.pdf', 'FF_ATTACHMENT_TYPE'],
    ['missing', 'nothing.png', 'FF_ATTACHMENT_UNREADABLE'],
    ['a folder', '.', 'FF_ATTACHMENT_UNREADABLE'],
    ['an odd scheme', 'ftp://example.com/a.png', 'FF_ATTACHMENT_UNREADABLE'],
  ])('%s is refused', async (_, location, code) => {
    const place = location.includes(':') ? location : join(dir, location);
    await expect(createAttachmentReader(rememberedFiles()).read(at(place))).rejects.toMatchObject({ code });
  });

  test('404, private addresses, bad base64 and large files are refused', async () => {
    const reader = createAttachmentReader(rememberedFiles(), { allowPrivateNetwork: true, maxBytes: 20 });
    await expect(reader.read(at(`${base}/none?key=secret`))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
      message: `${base}/none?key=*** returned status 404.`,
    });
    await expect(createAttachmentReader(rememberedFiles()).read(at(`${base}/a%20b.png`))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
      message: expect.stringContaining('private network'),
    });
    await expect(reader.read(inline('*not base64*'))).rejects.toMatchObject({ code: 'FF_ATTACHMENT_UNREADABLE' });
    for (const source of [at(`${base}/a%20b.png`), at(join(dir, 'photo.gif')), inline(png.toString('base64'))]) {
      await expect(reader.read(source)).rejects.toMatchObject({ code: 'FF_ATTACHMENT_TOO_LARGE' });
    }
    await expect(reader.read(at('relative.png'))).rejects.toMatchObject({ code: 'FF_ATTACHMENT_UNREADABLE' });
  });
});

describe('fingerprint', () => {
  test('is the content hash of files and inline bytes, and the address of remote ones', async () => {
    const reader = createAttachmentReader(rememberedFiles());
    expect(await reader.fingerprint(at(join(dir, 'photo.gif')))).toEqual({ fingerprint: sha });
    expect(await reader.fingerprint(inline(png.toString('base64')))).toEqual({ fingerprint: sha });
    expect(await reader.fingerprint(at('https://example.com/a.png'))).toEqual({
      fingerprint: `url:${createHash('sha256').update('https://example.com/a.png').digest('hex')}`,
    });
    await expect(reader.fingerprint(at(join(dir, 'nothing.png')))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
    });
  });

  test('follows a file that changes', async () => {
    const path = join(dir, 'changing.png');
    const reader = createAttachmentReader(rememberedFiles());
    await writeFile(path, 'one');
    const before = await reader.fingerprint(at(path));
    await writeFile(path, 'two');
    await utimes(path, 1, 1);
    expect(await reader.fingerprint(at(path))).not.toEqual(before);
  });
});

test.each([
  ['../../etc/passwd', 'passwd.png'],
  ['C:\\temp\\Bild ä.JPG', 'Bild ä.JPG.png'],
  ['a\0b\r\n".png', 'a-b.png'],
  ['.png', 'png.png'],
  ['', 'file.png'],
  [`${'x'.repeat(300)}.png`, `${'x'.repeat(100)}.png`],
])('file name of %j', (path, name) => {
  expect(safeFileName(path, ['png'])).toBe(name);
});
