import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { writeTalksSync } from '../fixtures.ts';
import { openSite, type Site, simplest } from '../site.ts';

interface Publisher extends AsyncDisposable {
  url: string;
  /** What is published; its entity tag follows from the version. */
  content: string;
  version: number;
  /** Breaks the next answers off before their end. */
  cut: boolean;
  /** Status of each answer since the last call. */
  answers(): number[];
  seen: IncomingHttpHeaders[];
}

/** A server that publishes one file, with an ETag, as any static host does. */
async function publish(content: string): Promise<Publisher> {
  let statuses: number[] = [];
  const server = createServer((request, response) => {
    publisher.seen.push(request.headers);
    const etag = `"v${publisher.version}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    statuses.push(isKnown ? 304 : 200);
    if (isKnown) response.writeHead(304, { etag }).end();
    else if (publisher.cut) {
      response.writeHead(200, { etag, 'content-length': publisher.content.length + 100 });
      response.write(publisher.content, () => response.destroy());
    } else response.writeHead(200, { etag }).end(publisher.content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publisher: Publisher = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/talks.csv`,
    content,
    version: 1,
    cut: false,
    seen: [],
    answers() {
      const since = statuses;
      statuses = [];
      return since;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return publisher;
}

const talks = 'id,title,date,start\nT1,Maps,2027-03-01,18:00\nT2,Ships,2027-03-02,10:00\nT3,,2027-03-03,09:00\n';

function writeSync(site: Site, url: string, { title = 'title', more = '' } = {}): void {
  const source = `connector: csv, url: "${url}", allowPrivateNetwork: true, retries: 0, auth: { bearer: s3cret-token }`;
  writeTalksSync(site, more, { source, map: `title: ${title}, date: date, time.start: start` });
}

async function syncOnce(site: Site) {
  const [report] = await site.sync();
  if (!report) throw new Error('no run');
  return report;
}

describe('Conditional requests', () => {
  test('An unchanged feed costs one 304 and gives the same report', async () => {
    await using publisher = await publish(talks);
    await using site = await openSite(simplest);
    writeSync(site, publisher.url);

    const first = await syncOnce(site);
    expect(first).toMatchObject({ status: 'partial', complete: true, counts: { read: 3, created: 2, rejected: 1 } });
    expect(publisher.answers()).toEqual([200]);

    const requests = site.sandbox.stats().total;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const again = await syncOnce(site);
      expect(again).toMatchObject({
        status: 'partial',
        complete: true,
        counts: { ...first.counts, created: 0, unchanged: 2 },
        receipt: { status: 304, bytes: 0, etag: '"v1"', sha256: first.receipt?.sha256, complete: true },
        rejections: first.rejections,
      });
      expect(publisher.answers()).toEqual([304]);
    }
    expect(site.sandbox.stats().total).toBe(requests);

    publisher.content = talks.replace('Maps', 'Old Maps');
    publisher.version = 2;
    expect(await syncOnce(site)).toMatchObject({ counts: { read: 3, updated: 1, unchanged: 1, rejected: 1 } });
    expect(publisher.answers()).toEqual([200]);
    expect((await syncOnce(site)).counts).toMatchObject({ read: 3, updated: 0, unchanged: 2, rejected: 1 });
    expect(publisher.answers()).toEqual([304]);
  });

  test('An unchanged file gives the same report, and a changed one is read', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site);
    site.write('syncs/feeds/talks.csv', talks);
    const first = await syncOnce(site);
    expect(first).toMatchObject({ status: 'partial', counts: { read: 3, created: 2, rejected: 1 } });
    const requests = site.sandbox.stats().total;
    expect(await syncOnce(site)).toMatchObject({
      status: 'partial',
      complete: true,
      counts: { ...first.counts, created: 0, unchanged: 2 },
      receipt: { bytes: first.receipt?.bytes, sha256: first.receipt?.sha256, complete: true },
      rejections: first.rejections,
    });
    expect(site.sandbox.stats().total).toBe(requests);
    site.write('syncs/feeds/talks.csv', talks.replace('Maps', 'Old Maps'));
    expect(await syncOnce(site)).toMatchObject({ counts: { read: 3, updated: 1, unchanged: 1, rejected: 1 } });
  });

  test('A changed map or window makes a new plan', async () => {
    await using publisher = await publish(talks);
    await using site = await openSite(simplest);
    writeSync(site, publisher.url);
    await syncOnce(site);

    writeSync(site, publisher.url, { title: '{ template: "Talk: {{ title }}" }' });
    expect((await syncOnce(site)).counts).toMatchObject({ updated: 2, created: 1 });
    writeSync(site, publisher.url, { more: 'window: { from: 2027-03-02 }' });
    expect((await syncOnce(site)).counts).toMatchObject({ read: 3, updated: 1, skipped: 1 });
    expect(publisher.answers()).toEqual([200, 200, 200]);
    expect((await syncOnce(site)).counts).toMatchObject({ read: 3, unchanged: 1, skipped: 1, rejected: 1 });
    expect(publisher.answers()).toEqual([304]);
  });

  test('A feed that was not fully read or delivered is read again', async () => {
    await using publisher = await publish(talks);
    await using site = await openSite(simplest, { target: '  maxAttempts: 1\n' });
    writeSync(site, publisher.url);

    publisher.cut = true;
    expect(await syncOnce(site)).toMatchObject({ complete: false, receipt: { etag: '"v1"' }, counts: { created: 2 } });
    publisher.cut = false;
    expect(await syncOnce(site)).toMatchObject({ complete: true, counts: { unchanged: 2 } });
    expect(publisher.answers()).toEqual([200, 200]);

    publisher.content = talks.replace('Maps', 'Old Maps');
    publisher.version = 2;
    site.write('feedferry.yaml', `${target(site)}\n  token: wrong\n`);
    expect(await syncOnce(site)).toMatchObject({ status: 'failed', complete: true });
    site.write('feedferry.yaml', `${target(site)}\n  token: \${CMS_API_TOKEN}\n`);
    expect((await syncOnce(site)).counts).toMatchObject({ updated: 1, unchanged: 1 });
    expect(publisher.answers()).toEqual([200, 200]);
  });

  test('A refused or empty feed keeps its receipt, and no record counts as missing', async () => {
    await using publisher = await publish(talks);
    await using site = await openSite(simplest);
    writeSync(site, publisher.url);
    await syncOnce(site);

    publisher.content = '<html><body>Please log in</body></html>';
    publisher.version = 2;
    expect(await syncOnce(site)).toMatchObject({
      status: 'failed',
      complete: false,
      error: { code: 'FF_FEED_FORMAT' },
      receipt: { status: 200, complete: false, reason: expect.stringContaining('web page') },
    });
    publisher.content = 'id,title,date,start\n';
    publisher.version = 3;
    expect(await syncOnce(site)).toMatchObject({
      status: 'held',
      complete: false,
      counts: { read: 0, missing: 0 },
      receipt: { complete: false, reason: 'the feed has no records, but 2 were delivered before' },
    });
    expect(await syncOnce(site)).toMatchObject({ status: 'held' });
    expect(publisher.answers()).toEqual([200, 200, 200, 200]);
  });
});

test('The credentials of a feed are in no report', async () => {
  await using publisher = await publish(talks);
  await using site = await openSite(simplest);
  writeSync(site, publisher.url);
  const report = await syncOnce(site);
  expect(publisher.seen[0]?.authorization).toBe('Bearer s3cret-token');
  expect(JSON.stringify(report)).not.toContain('s3cret');
});

function target(site: Site): string {
  return `target:\n  baseUrl: ${site.sandbox.url}\n  timezone: America/New_York\n  externalId: source_key\n  backoff: 1s`;
}
