import { symlinkSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { SyncConfig } from '../../../src/config/types.ts';
import { sha256 } from '../../../src/core/hash.ts';
import { safeFileName } from '../../../src/feed/attachments/attachment-file.ts';
import { attachmentLimits, createAttachmentReader } from '../../../src/feed/attachments.ts';
import { readFeeds } from '../../../src/feed/open.ts';
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
    'late.pdf': '\r\n\r\n%PDF-1.4\n',
    'page.pdf': '<!doctype html><script>alert(1)</script>',
  });
const serveImage = () =>
  serve((request, response) => {
    if (request.url?.startsWith('/a%20b.png')) response.writeHead(200, { 'content-type': 'text/html' }).end(png);
    else response.writeHead(404).end();
  });

describe('An attachment reader', () => {
  test('returns the same for a file, a URL and inline bytes', async () => {
    const folder = imageFolder();
    const { url: base } = await serveImage();
    const reader = createAttachmentReader(rememberedFiles(), { allowPrivateNetwork: true, folders: [folder] });
    const expected = { mediaType: 'image/png', sha256: sha256(png) };
    const local = await reader.read(at(join(folder, 'Hall (1).PNG')));
    expect(local).toMatchObject({ ...expected, fileName: 'Hall -1.png' });
    expect(Buffer.from(await local.content.arrayBuffer())).toEqual(png);
    expect(await reader.read(at(join(folder, 'photo.gif')))).toMatchObject({ ...expected, fileName: 'photo.gif.png' });
    await using remote = await reader.read(at(`${base}/a%20b.png?token=x`));
    expect(remote).toMatchObject({ ...expected, fileName: 'a b.png' });
    expect(Buffer.from(await remote.content.arrayBuffer())).toEqual(png);
    expect(await reader.read(inline(png.toString('base64')))).toMatchObject({ ...expected, fileName: 'file.png' });
  });

  test('reads a PDF after blank lines', async () => {
    const folder = imageFolder();
    const reader = createAttachmentReader(rememberedFiles(), { allowPrivateNetwork: true, folders: [folder] });
    expect(await reader.read(at(join(folder, 'late.pdf')))).toMatchObject({ mediaType: 'application/pdf' });
  });

  test.each([
    ['SVG', 'drawing.png', 'FF_ATTACHMENT_TYPE'],
    ['HTML', 'page.pdf', 'FF_ATTACHMENT_TYPE'],
    ['a missing file', 'nothing.png', 'FF_ATTACHMENT_UNREADABLE'],
    ['a folder', '.', 'FF_ATTACHMENT_UNREADABLE'],
    ['an odd scheme', 'ftp://example.com/a.png', 'FF_ATTACHMENT_UNREADABLE'],
  ])('refuses %s', async (_, location, code) => {
    const folder = imageFolder();
    const place = location.includes(':') ? location : join(folder, location);
    await expect(
      createAttachmentReader(rememberedFiles(), { folders: [folder] }).read(at(place)),
    ).rejects.toMatchObject({ code });
  });

  test('refuses a response with status 404, private addresses, bad base64 and large files', async () => {
    const folder = imageFolder();
    const { url: base } = await serveImage();
    const reader = createAttachmentReader(rememberedFiles(), {
      allowPrivateNetwork: true,
      maxBytes: 20,
      folders: [folder],
    });
    await expect(reader.read(at(`${base}/none?key=secret`))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
      message: `${base}/none?key=*** returned status 404.`,
    });
    await expect(createAttachmentReader(rememberedFiles()).read(at(`${base}/a%20b.png`))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
      message: expect.stringContaining('private network'),
      remedy: expect.stringContaining('`allowPrivateNetwork: true`'),
    });
    await expect(reader.read(inline('*not base64*'))).rejects.toMatchObject({ code: 'FF_ATTACHMENT_UNREADABLE' });
    for (const source of [at(`${base}/a%20b.png`), at(join(folder, 'photo.gif')), inline(png.toString('base64'))]) {
      await expect(reader.read(source)).rejects.toMatchObject({ code: 'FF_ATTACHMENT_TOO_LARGE' });
    }
    await expect(reader.read(at('relative.png'))).rejects.toMatchObject({ code: 'FF_ATTACHMENT_UNREADABLE' });
  });
});

describe('A feed', () => {
  const source = (url: string) => ({ connector: 'csv', url, feed: {}, options: {} });

  test.each([
    ['a path that leads out of its folder', (drop: string) => join(drop, '../private/x.png')],
    ['a symbolic link to a file outside', (drop: string) => join(drop, 'linked.png')],
    ['a file in a linked folder', (drop: string) => join(drop, 'linked/x.png')],
    ['a folder whose name begins like its own', (drop: string) => join(drop, '../drop2/x.png')],
    ['a file URL', (drop: string) => pathToFileURL(join(drop, '../private/x.png')).href],
  ])('cannot publish %s', async (_, locate) => {
    const base = folderOf({ 'drop/a.png': png, 'drop2/x.png': png, 'private/x.png': png });
    const drop = join(base, 'drop');
    symlinkSync(join(base, 'private/x.png'), join(drop, 'linked.png'));
    symlinkSync(join(base, 'private'), join(drop, 'linked'));
    const reader = createAttachmentReader(
      rememberedFiles(),
      attachmentLimits({ source: source(join(drop, '*.csv')), attachments: {} }),
    );
    const outside = { code: 'FF_ATTACHMENT_OUTSIDE', message: expect.stringMatching(/ is not in .*\/drop\.$/) };
    await expect(reader.read(at(locate(drop)))).rejects.toMatchObject(outside);
    await expect(reader.fingerprint(at(locate(drop)))).rejects.toMatchObject(outside);
    expect(await reader.read(at(join(drop, 'a.png')))).toMatchObject({ fileName: 'a.png' });
  });

  test('cannot stop the program with 36 comments, blanks for base64, or a long file name', {
    timeout: 2000,
  }, async () => {
    const folder = folderOf({ 'comments.csv': `${'<!---->'.repeat(36)}x` });
    const { feeds } = readFeeds(join(folder, 'comments.csv'));
    let content = '';
    for await (const feed of feeds()) for await (const text of feed.text()) content += text;
    expect(content).toHaveLength(36 * 7 + 1);
    const reader = createAttachmentReader(rememberedFiles());
    await expect(reader.read(inline(`${' '.repeat(200_000)}*`))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
    });
    expect(safeFileName(`x${' .'.repeat(60_000)}y`, ['png'])).toBe('x.png');
  });

  test('from the network cannot publish any local file', async () => {
    const reader = createAttachmentReader(
      rememberedFiles(),
      attachmentLimits({ source: source('https://example.edu/a.csv'), attachments: {} }),
    );
    const local = at(join(imageFolder(), 'photo.gif'));
    await expect(reader.read(local)).rejects.toMatchObject({ code: 'FF_ATTACHMENT_OUTSIDE' });
  });

  test.each([
    ['/feeds/events.csv', undefined, '/feeds'],
    ['file:///feeds/events.csv', undefined, '/feeds'],
    ['/feeds/*/events-[0-9].csv', undefined, '/feeds'],
    ['/feeds/events.csv', '/images', '/images'],
    ['webcal://example.edu/a.ics', undefined, undefined],
    ['-', undefined, process.cwd()],
  ])('at %s with attachmentsDir %s takes local files from %s', (url, attachmentsDir, folder) => {
    expect(attachmentLimits({ source: source(url), attachments: {}, attachmentsDir }).folders).toEqual(
      folder ? [folder] : [],
    );
  });
});

describe('Several sources of a sync', () => {
  const source = (url: string, allowPrivateNetwork?: boolean) => ({
    ...{ connector: 'csv', url, options: {} },
    feed: { allowPrivateNetwork },
  });
  const limitsOf = (...each: Array<ReturnType<typeof source>>) => {
    const sources = each.map((one, index) => ({
      name: `s${index}`,
      sync: { source: one, attachments: {} } as unknown as SyncConfig,
    }));
    return attachmentLimits({ source: each[0]!, sources, attachments: {} });
  };

  test('take files from the folder of any of them, and from private networks only if all allow it', async () => {
    const base = folderOf({ 'a/a.png': png, 'b/b.png': png, 'c/c.png': png });
    const limits = limitsOf(
      source(join(base, 'a/x.csv'), true),
      source(join(base, 'b/x.csv')),
      source('https://a.example/'),
    );
    expect(limits).toMatchObject({ allowPrivateNetwork: false, folders: [join(base, 'a'), join(base, 'b')] });
    expect(limitsOf(source('/a/x.csv', true), source('/b/x.csv', true)).allowPrivateNetwork).toBe(true);
    const reader = createAttachmentReader(rememberedFiles(), {
      folders: [join(base, 'gone'), ...(limits.folders ?? [])],
    });
    expect(await reader.read(at(join(base, 'b/b.png')))).toMatchObject({ fileName: 'b.png' });
    await expect(reader.read(at(join(base, 'c/c.png')))).rejects.toMatchObject({ code: 'FF_ATTACHMENT_OUTSIDE' });
  });
});

describe('The fingerprint', () => {
  test('is the content hash of files and inline bytes, and the URL hash of remote ones', async () => {
    const folder = imageFolder();
    const reader = createAttachmentReader(rememberedFiles(), { folders: [folder] });
    expect(await reader.fingerprint(at(join(folder, 'photo.gif')))).toEqual({ fingerprint: sha256(png) });
    expect(await reader.fingerprint(inline(png.toString('base64')))).toEqual({ fingerprint: sha256(png) });
    expect(await reader.fingerprint(at('https://example.com/a.png'))).toEqual({
      fingerprint: `url:${sha256('https://example.com/a.png')}`,
    });
    await expect(reader.fingerprint(at(join(folder, 'nothing.png')))).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
    });
  });

  test('changes when the file changes', async () => {
    const folder = folderOf({});
    const path = join(folder, 'changing.png');
    const reader = createAttachmentReader(rememberedFiles(), { folders: [folder] });
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
