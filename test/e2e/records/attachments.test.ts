import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { releaseRun } from '../../../src/sync/runs/release-run.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, png, type Site, simplest, writeTarget } from '../site.ts';

/** Writes a sync of one talk, with the location of its picture. */
function writeTalk(site: Site, image: string, options = ''): void {
  const source = 'connector: csv, url: ./feeds/talks.csv, allowPrivateNetwork: true';
  writeTalksSync(site, `attachments: { image: image }\n${options}`, { source });
  writeTalks(site, [`1,Old Maps,2027-03-01,18:00,${image}`], { columns: 'id,title,date,start,image' });
}

/** A server whose picture can be taken away. */
async function pictures(): Promise<{ url: string; broken: boolean }> {
  const state = { url: '', broken: false };
  const server = createServer((_request, response) => {
    if (state.broken) response.writeHead(404).end();
    else response.end(png(9));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
  return state;
}

describe('Attachments', () => {
  test('An event whose file is missing is published without it, and gets the file when it appears', async () => {
    await using site = await openSite(simplest);
    writeTalk(site, 'a.png');
    const [report] = await site.sync();
    expect(report).toMatchObject({ counts: { created: 1, uploaded: 0 } });
    expect(report?.warnings).toMatchObject([{ at: 'line 2', message: expect.stringContaining('a.png') }]);
    site.write('syncs/feeds/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, uploaded: 1 } }]);
    rmSync(join(site.dir, 'config/syncs/feeds/a.png'));
    expect(await site.sync()).toMatchObject([{ counts: { updated: 0, unchanged: 1 } }]);
    const [event] = await site.items('calendar/events');
    expect(event?.image).toMatchObject({ src: expect.any(String) });
  });

  test('A file that a create without a response may have sent is removed if the source no longer has it', async () => {
    await using site = await openSite(simplest);
    writeTarget(site, '  maxAttempts: 1\n  lookupAfter: 100ms\n');
    site.write('syncs/feeds/a.png', png(1));
    writeTalk(site, 'a.png');
    await setFaults(site, { kind: 'reset', when: 'after', route: '/calendar/events', method: 'POST' });
    expect(await site.sync()).toMatchObject([{ counts: { held: 1, uploaded: 1 } }]);
    expect(await site.items('calendar/events')).toMatchObject([{ image: { src: expect.any(String) } }]);

    await setFaults(site);
    writeTalk(site, '');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(await site.items('calendar/events')).toEqual([expect.not.objectContaining({ image: expect.anything() })]);
  });

  test('A file that such a create may have sent is removed, too, if another one could not be read meanwhile', async () => {
    await using site = await openSite(simplest);
    writeTarget(site, '  maxAttempts: 1\n  lookupAfter: 100ms\n');
    site.write('syncs/feeds/a.png', png(1));
    writeTalk(site, 'a.png');
    await setFaults(site, { kind: 'reset', when: 'after', route: '/calendar/events', method: 'POST' });
    expect(await site.sync()).toMatchObject([{ counts: { held: 1, uploaded: 1 } }]);

    await setFaults(site);
    writeTalk(site, 'missing.png');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 0 } }]);
    writeTalk(site, '');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await site.items('calendar/events')).toEqual([expect.not.objectContaining({ image: expect.anything() })]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  });

  test('A file that an update without a response may have replaced is restored once it can be read', async () => {
    await using site = await openSite(simplest);
    writeTarget(site, '  maxAttempts: 1\n');
    site.write('syncs/feeds/a.png', png(1));
    site.write('syncs/feeds/b.png', png(2));
    writeTalk(site, 'a.png');
    await site.sync();
    const [original] = await site.items('calendar/events');
    writeTalk(site, 'b.png');
    await setFaults(site, { kind: 'reset', when: 'after', route: '/calendar/events/:id', method: 'PATCH' });
    expect(await site.sync()).toMatchObject([{ counts: { failed: 1, uploaded: 1 } }]);
    expect((await site.items('calendar/events'))[0]?.image).not.toEqual(original?.image);

    await setFaults(site);
    rmSync(join(site.dir, 'config/syncs/feeds/a.png'));
    writeTalk(site, 'a.png');
    expect(await site.sync()).toMatchObject([{ status: 'success' }]);
    site.write('syncs/feeds/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 0 } }]);
    expect(await site.items('calendar/events')).toMatchObject([{ image: original?.image }]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
  });

  test('After a release, a file that the CMS has lost is uploaded again', async () => {
    await using site = await openSite(simplest);
    site.write('syncs/feeds/a.png', png(1));
    const empty = await site.request('GET', '_sandbox/snapshot');
    writeTalk(site, 'a.png');
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, uploaded: 1 } }]);

    await site.request('PUT', '_sandbox/snapshot', empty as object);
    await site.withContext((context) => releaseRun(context));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  });

  test('A file that cannot be fetched on delivery is fetched by a later run', async () => {
    await using site = await openSite(simplest);
    const server = await pictures();
    server.broken = true;
    writeTalk(site, server.url);
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, uploaded: 0 } }]);
    server.broken = false;
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, uploaded: 0 } }]);
  });

  test('A record whose file cannot be fetched is held back with onAttachmentError: hold', async () => {
    await using site = await openSite(simplest);
    writeTalk(site, 'a.png', 'onAttachmentError: hold');
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'partial', counts: { held: 1, created: 0 } });
    expect(report?.problems).toMatchObject([{ key: '1', code: 'FF_ATTACHMENT_UNREADABLE' }]);
    site.write('syncs/feeds/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  });
});

describe('Files that the CMS refuses', () => {
  const tooLargeForIt = Buffer.concat([png(1), Buffer.alloc(2000)]);
  const small = { switches: { maxUploadBytes: 1024 } };

  test('With publish, the event is sent without its file, and the next run tries again', async () => {
    await using site = await openSite(simplest, small);
    writeTalk(site, 'a.png');
    site.write('syncs/feeds/a.png', tooLargeForIt);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 0 } }]);
    expect(site.writes()).toEqual({ 'POST /calendar/events': 1, 'POST /calendar/upload': 1 });
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, uploaded: 0 } }]);
    expect(site.writes()).toEqual({ 'POST /calendar/upload': 1 });
    site.write('syncs/feeds/a.png', png(2));
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
    const [event] = await site.items('calendar/events');
    expect(event?.image).toMatchObject({ src: expect.any(String) });
  });

  test('With publish, a refused replacement leaves the previous file in place', async () => {
    await using site = await openSite(simplest, small);
    writeTalk(site, 'a.png');
    site.write('syncs/feeds/a.png', png(1));
    await site.sync();
    const [before] = await site.items('calendar/events');
    site.write('syncs/feeds/a.png', tooLargeForIt);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { failed: 0, held: 0 } }]);
    expect((await site.items('calendar/events'))[0]?.image).toEqual(before?.image);
  });

  test('With hold, nothing of the event is sent', async () => {
    await using site = await openSite(simplest, small);
    writeTalk(site, 'a.png', 'onAttachmentError: hold');
    site.write('syncs/feeds/a.png', tooLargeForIt);
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'partial', counts: { held: 1, created: 0 } });
    expect(report?.problems).toMatchObject([{ key: '1', code: 'FF_ATTACHMENT_UPLOAD' }]);
    expect(await site.items('calendar/events')).toEqual([]);
    site.write('syncs/feeds/a.png', png(2));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  });
});

describe('Failed uploads', () => {
  const failing = (times: number) => ({
    faults: { seed: 1, faults: [{ kind: 'error' as const, status: 503, path: '/api/v1/calendar/upload', times }] },
    target: '  maxAttempts: 2\n  maxBackoff: 1s\n',
  });

  test('A failed upload is tried again', async () => {
    await using site = await openSite(simplest, failing(1));
    writeTalk(site, 'a.png');
    site.write('syncs/feeds/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  });

  test('After repeated failures the event is sent without the file, and the next run uploads it', async () => {
    await using site = await openSite(simplest, failing(2));
    writeTalk(site, 'a.png');
    site.write('syncs/feeds/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 0 } }]);
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
  });
});
