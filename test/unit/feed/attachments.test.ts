import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/hash.ts';
import { safeFileName } from '../../../src/feed/attachments/file-name.ts';
import { createAttachmentReader } from '../../../src/feed/attachments.ts';
import { folderOf } from '../../support/folder.ts';
import { rememberedFiles } from '../../support/remote-files.ts';
import { serve } from './server.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const at = (location: string) => ({ is: 'location' as const, location });
const inline = (base64: string) => ({ is: 'inline' as const, base64 });

const imageFolder = () =>
  folderOf({
    'Hall (1).PNG': png,
    'photo.gif': png,
    'drawing.png': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'page.pdf': '<!doctype html><script>alert(1)</script>',
  });
const serveImage = () =>
  serve((request, response) => {
    if (request.url?.startsWith('/a%20b.png')) response.writeHead(200, { 'content-type': 'text/html' }).end(png);
    else response.writeHead(404).end();
  });

describe('An attachment reader', () => {
  test('returns the same for a file, a URL and inline bytes', async () => {
    const dir = imageFolder();
    const { url: base } = await serveImage();
    const reader = createAttachmentReader(rememberedFiles(), { allowPrivateNetwork: true });
    const expected = { mediaType: 'image/png', sha256: sha256(png) };
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
    ['a missing file', 'nothing.png', 'FF_ATTACHMENT_UNREADABLE'],
    ['a folder', '.', 'FF_ATTACHMENT_UNREADABLE'],
    ['an odd scheme', 'ftp://example.com/a.png', 'FF_ATTACHMENT_UNREADABLE'],
  ])('refuses %s', async (_, location, code) => {
    const place = location.includes(':') ? location : join(imageFolder(), location);
    await expect(createAttachmentReader(rememberedFiles()).read(at(place))).rejects.toMatchObject({ code });
  });

  test('refuses a response with status 404, private addresses, bad base64 and large files', async () => {
    const dir = imageFolder();
    const { url: base } = await serveImage();
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

describe('The fingerprint', () => {
  test('is the content hash of files and inline bytes, and the URL hash of remote ones', async () => {
    const dir = imageFolder();
    const reader = createAttachmentReader(rememberedFiles());
    expect(await reader.fingerprint(at(join(dir, 'photo.gif')))).toEqual({ fingerprint: sha256(png) });
    expect(await reader.fingerprint(inline(png.toString('base64')))).toEqual({ fingerprint: sha256(png) });
    expect(await reader.fingerprint(at('https://example.com/a.png'))).toEqual({
      fingerprint: `url:${sha256('https://example.com/a.png')}`,
    });
    await expect(reader.fingerprint(at(join(dir, 'nothing.png')))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
    });
  });

  test('changes when the file changes', async () => {
    const path = join(folderOf({}), 'changing.png');
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
])('The path %j has a safe file name', (path, name) => {
  expect(safeFileName(path, ['png'])).toBe(name);
});
