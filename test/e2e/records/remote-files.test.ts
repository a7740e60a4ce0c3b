import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../../../src/core/hash.ts';
import { writeTalksSync } from '../fixtures.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

interface FileServer {
  url: string;
  /** Path → content; its entity tag is made of it. Absent: 404. */
  files: Map<string, Uint8Array | string>;
  /** Whether answers have entity tags. */
  tags: boolean;
  /** Told after each answer. */
  answered: (path: string) => void;
  /** "/a.png 200" and so on, in alphabetical order, since the last call. */
  seen(): string[];
}

async function serveFiles(): Promise<FileServer> {
  let seen: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const content = fileServer.files.get(path);
    const etag = `"${sha256(content ?? '')}"`;
    const status =
      content === undefined ? 404 : fileServer.tags && request.headers['if-none-match'] === etag ? 304 : 200;
    seen.push(`${path} ${status}`);
    response.writeHead(status, fileServer.tags ? { etag } : {}).end(status === 200 ? content : undefined);
    fileServer.answered(path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const fileServer: FileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files: new Map(),
    tags: true,
    answered: () => undefined,
    seen() {
      const since = seen.sort();
      seen = [];
      return since;
    },
  };
  return fileServer;
}

function writeSync(site: Site, { url = './feeds/talks.csv', attachments = '{ image: image }', more = '' } = {}): void {
  const source = `connector: csv, url: "${url}", allowPrivateNetwork: true`;
  writeTalksSync(site, `attachments: ${attachments}\n${more}`, { source });
}

/** One talk for each picture, in their order. */
function talks(...pictures: string[]): string {
  const rows = pictures.map((picture, index) => `${index + 1},Talk ${index + 1},2027-03-01,18:00,${picture}`);
  return `id,title,date,start,image\n${rows.join('\n')}\n`;
}

async function pictures(site: Site): Promise<Array<string | undefined>> {
  const events = await site.items('calendar/events', '&sort=title');
  return events.map(({ image }) => (image as { src: string } | null | undefined)?.src);
}

describe('Remote files', () => {
  test('A remote file is downloaded once, checked once a run, and downloaded again only if it has changed', async () => {
    await using site = await openSite(simplest);
    const server = await serveFiles();
    const temporary = join(site.dir, 'temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    server.files.set('/a.png', png(1)).set('/b.png', png(2));
    const [a, b] = [`${server.url}/a.png`, `${server.url}/b.png`];
    writeSync(site);
    site.write('syncs/feeds/talks.csv', talks(a, a, a, a, b));

    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 5, uploaded: 2 } }]);
    expect(server.seen()).toEqual(['/a.png 200', '/b.png 200']);
    const before = await pictures(site);
    expect(new Set(before).size).toBe(2);

    const sentBefore = site.sandbox.stats().total;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5 }, warnings: [] }]);
    expect(server.seen()).toEqual(['/a.png 304', '/b.png 304']);
    expect(site.sandbox.stats().total).toBe(sentBefore);

    server.files.set('/a.png', png(3));
    site.writes();
    expect(await site.sync()).toMatchObject([{ counts: { updated: 4, unchanged: 1, uploaded: 1 } }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 4, 'POST /calendar/upload': 1 });
    const after = await pictures(site);
    expect(after[4]).toBe(before[4]);
    expect(new Set([...before, ...after]).size).toBe(3);
    // Once to see that it has changed, once to upload it.
    expect(server.seen()).toEqual(['/a.png 200', '/a.png 200', '/b.png 304']);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 5 } }]);
    expect(server.seen()).toEqual(['/a.png 304', '/b.png 304']);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('An unreachable remote file counts as unchanged, with a warning', async () => {
    await using site = await openSite(simplest);
    const server = await serveFiles();
    server.files.set('/a.png', png(1));
    writeSync(site);
    site.write('syncs/feeds/talks.csv', talks(`${server.url}/a.png`));
    await site.sync();
    const before = await pictures(site);
    site.writes();
    for (const broken of [undefined, '<!doctype html><title>Sorry</title>']) {
      if (broken) server.files.set('/a.png', broken);
      else server.files.delete('/a.png');
      const [report] = await site.sync();
      expect(report).toMatchObject({ status: 'success', counts: { unchanged: 1 } });
      expect(report?.warnings).toMatchObject([{ at: 'line 2', message: expect.stringContaining('image: http') }]);
    }
    expect(site.writes()).toEqual({});
    expect(await pictures(site)).toEqual(before);
  });

  test('A remote file that changes after planning is remembered as it was delivered', async () => {
    await using site = await openSite(simplest);
    const server = await serveFiles();
    server.files.set('/a.png', png(1));
    writeSync(site);
    site.write('syncs/feeds/talks.csv', talks(`${server.url}/a.png`));
    await site.sync();
    server.files.set('/a.png', png(2));
    // The plan sees the second picture, the delivery finds the third.
    server.answered = () => server.files.set('/a.png', png(3));
    server.seen();
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
    expect(server.seen()).toEqual(['/a.png 200', '/a.png 200']);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
    expect(server.seen()).toEqual(['/a.png 304']);
  });

  test('A remote file that the source no longer names is removed once', async () => {
    await using site = await openSite(simplest);
    const server = await serveFiles();
    server.files.set('/a.png', png(1));
    const a = `${server.url}/a.png`;
    writeSync(site);
    site.write('syncs/feeds/talks.csv', talks(a, a, ''));
    await site.sync();
    expect(await pictures(site)).toEqual([expect.any(String), expect.any(String), undefined]);
    site.writes();

    site.write('syncs/feeds/talks.csv', talks('', a, ''));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 2 } }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
    const sentBefore = site.sandbox.stats().total;
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 3 } }]);
    expect(site.sandbox.stats().total).toBe(sentBefore);
    expect(await pictures(site)).toEqual([undefined, expect.any(String), undefined]);

    site.write('syncs/feeds/talks.csv', talks(a, a, ''));
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 0 } }]);
    expect(await pictures(site)).toEqual([expect.any(String), expect.any(String), undefined]);
  });
});

test('A remote file without validators is unchanged while its address is the same', async () => {
  await using site = await openSite(simplest);
  const server = await serveFiles();
  server.tags = false;
  server.files.set('/a.png', png(1));
  writeSync(site);
  site.write('syncs/feeds/talks.csv', talks(`${server.url}/a.png`));
  await site.sync();
  server.seen();
  server.files.set('/a.png', png(2));
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  expect(server.seen()).toEqual([]);
});

test('A file that moves to another address is not written again', async () => {
  await using site = await openSite(simplest);
  const server = await serveFiles();
  server.files.set('/a.png?signed=1', png(1)).set('/a.png?signed=2', png(1));
  writeSync(site);
  site.write('syncs/feeds/talks.csv', talks(`${server.url}/a.png?signed=1`));
  await site.sync();
  site.writes();
  site.write('syncs/feeds/talks.csv', talks(`${server.url}/a.png?signed=2`));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, uploaded: 0 } }]);
  expect(site.writes()).toEqual({});
  server.seen();
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  expect(server.seen()).toEqual(['/a.png?signed=2 304']);
});

test('A changed file is noticed although the feed that names it has not changed', async () => {
  await using site = await openSite(simplest);
  const server = await serveFiles();
  server.files.set('/a.png', png(1)).set('/talks.csv', talks('/a.png'));
  writeSync(site, { url: `${server.url}/talks.csv` });
  await site.sync();
  server.files.set('/a.png', png(2));
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
});

test('A picture is removed only if the sync still maps its attribute and the source may change it', async () => {
  await using site = await openSite(simplest);
  const server = await serveFiles();
  server.files.set('/a.png', png(1));
  writeSync(site);
  site.write('syncs/feeds/talks.csv', talks(`${server.url}/a.png`));
  await site.sync();
  const before = await pictures(site);
  site.writes();
  site.write('syncs/feeds/talks.csv', talks(''));

  writeSync(site, { attachments: '{}' });
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  writeSync(site, { more: 'authority: { image: initial }' });
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  expect(site.writes()).toEqual({});

  // What an editor has put in its place stays.
  writeSync(site, { more: 'authority: { image: editor }' });
  const [event] = await site.items('calendar/events');
  await editImage(site, event?.id, { src: '/files/of-the-editor.png' });
  site.writes();
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  expect(site.writes()).toEqual({});

  await editImage(site, event?.id, { src: before[0] });
  writeSync(site);
  site.writes();
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
  expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
  expect(await pictures(site)).toEqual([undefined]);
});

const editImage = (site: Site, id: number | undefined, image: object) =>
  site.request('PATCH', `api/v1/calendar/events/${id}`, { image });
