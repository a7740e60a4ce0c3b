import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { RunReport, UndeliveredFileReport } from '../../../src/core/run.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { Verification } from '../../../src/sync/verify/verification.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

const HEIC = Buffer.from('0000001c66747970686569630000000068656963', 'hex');

/** What a server returns in place of pictures, by path. */
async function pictureServer(): Promise<{ url: string; mended: Set<string> }> {
  const mended = new Set<string>();
  const server = createServer(({ url = '' }, response) => {
    const path = url.replace(/\?.*/, '');
    if (mended.has(path)) response.end(png(9));
    else if (path === '/gone.png') response.writeHead(410).end();
    else if (path === '/members.png') response.writeHead(302, { location: '/login' }).end();
    else if (path === '/login') response.end('<!doctype html><form>Log in</form>');
    else if (path === '/phone.heic') response.end(HEIC);
    else if (path === '/bad.svg') response.end('<svg');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, mended };
}

/** A site whose talks have these pictures, by their keys. */
function writePictures(site: Site, pictures: Record<string, string>, options = '', title = 'Talk'): void {
  const source = 'connector: csv, url: ./feeds/talks.csv, allowPrivateNetwork: true';
  writeTalksSync(site, `attachments: { image: image }\n${options}`, { source });
  const rows = Object.entries(pictures).map(([key, image]) => `${key},${title},2027-03-01,18:00,${image}`);
  writeTalks(site, rows, { columns: 'id,title,date,start,image' });
}

async function run(site: Site, ...args: string[]) {
  return runHere([...args, '--config', `${site.dir}/config`], site.variables);
}

/** What the commands print with --json. */
interface Printed {
  runs: Array<RunReport & { undeliveredFiles: UndeliveredFileReport[] }>;
  syncs: unknown[];
  source: { verdict: unknown };
  record: { undeliveredFiles: UndeliveredFileReport[] };
  verified: Verification[];
}

async function json(site: Site, ...args: string[]): Promise<Printed> {
  return (await run(site, ...args, '--json')).json() as Printed;
}

/** Lets the pauses of all files end. */
async function endPauses(site: Site): Promise<void> {
  const { db } = await openDatabase({ dataDir: site.environment().dataDir });
  const files = sql<string>`json_set(undelivered_files, '$.retryAt', 1)`;
  await db
    .updateTable('records')
    .set({ undelivered_files: files })
    .where('undelivered_files', 'is not', null)
    .execute();
  await db.destroy();
}

test('Every command names the files that records were delivered without, and no plan counts them as updates', async () => {
  await using site = await openSite(simplest);
  const { url, mended } = await pictureServer();
  mended.add('/fine.png');
  writePictures(site, {
    A: `${url}/nothing.png?token=secret`,
    B: `${url}/gone.png`,
    C: `${url}/members.png`,
    D: `${url}/phone.heic`,
    E: `${url}/bad.svg`,
    F: 'nowhere.png',
    G: '/etc/hostname',
    H: `${url}/fine.png`,
  });
  const [first] = (await json(site, 'sync')).runs;
  expect(first).toMatchObject({ status: 'success', counts: { created: 8, uploaded: 1 }, withoutFiles: 7 });
  const reasons = Object.fromEntries(
    (first?.undeliveredFiles ?? []).map(({ key, code, reason }) => [key, `${code} ${reason}`]),
  );
  expect(reasons).toEqual({
    A: expect.stringMatching(/^FF_ATTACHMENT_UNREADABLE .*nothing\.png.* returned status 404/),
    B: expect.stringMatching(/^FF_ATTACHMENT_UNREADABLE .*gone\.png returned status 410/),
    C: expect.stringMatching(/^FF_ATTACHMENT_TYPE .*a web page, such as a log-in or error page/),
    D: expect.stringMatching(/^FF_ATTACHMENT_TYPE .*image\/heic/),
    E: expect.stringMatching(/^FF_ATTACHMENT_TYPE .*SVG/),
    F: expect.stringMatching(/^FF_ATTACHMENT_UNREADABLE Cannot read .*: the file does not exist\.$/),
    G: expect.stringMatching(/^FF_ATTACHMENT_OUTSIDE /),
  });
  expect(JSON.stringify(first)).not.toContain('secret');

  const due = await json(site, 'plan', 'talks');
  expect(due).toMatchObject({ creates: 0, updates: 0, fileRetries: 7, withoutFiles: 7, cost: { patches: 0 } });
  const [second] = (await json(site, 'sync')).runs;
  expect(second).toMatchObject({ status: 'success', counts: { updated: 0, unchanged: 8 }, withoutFiles: 7 });
  const waiting = await json(site, 'plan', 'talks');
  expect(waiting).toMatchObject({ changes: [], updates: 0, counts: { unchanged: 8 }, withoutFiles: 7 });
  expect(waiting).not.toHaveProperty('fileRetries');

  expect((await run(site, 'plan', 'talks')).stdout).toMatch(
    /8 unchanged, 7 without their file[\s\S]*\(B\): image: FF_.* 410/,
  );
  expect((await run(site, 'runs')).stdout).toContain('7 without their file');
  expect((await run(site, 'status')).stdout).toMatch(
    /7 records are delivered without a file\.[\s\S]*410.* Next try: .* Tries: 2\./,
  );
  const { syncs } = await json(site, 'status');
  expect(syncs).toMatchObject([{ withoutFiles: 7 }]);
  const { source, record } = await json(site, 'explain', 'talks', 'B');
  expect(source.verdict).toMatchObject({ is: 'withoutFile', why: expect.stringMatching(/without its image.* 410/) });
  expect(record.undeliveredFiles).toMatchObject([{ attribute: 'image', tries: 2, retryAt: expect.any(String) }]);
  const drift = (await json(site, 'verify')).verified[0]?.drift;
  expect(drift).toHaveLength(7);
  expect(drift?.[1]).toMatchObject({
    key: 'B',
    cause: 'fileMissing',
    error: { reason: expect.stringContaining('410') },
  });

  mended.add('/gone.png');
  expect(await site.sync()).toMatchObject([{ counts: { updated: 0 }, withoutFiles: 7 }]);
  expect(await site.retry('talks')).toMatchObject({ counts: { read: 7, updated: 1, unchanged: 6 }, withoutFiles: 6 });
  mended.add('/phone.heic');
  await endPauses(site);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 7 }, withoutFiles: 5 }]);
  expect((await site.items('calendar/events')).filter(({ image }) => image)).toHaveLength(3);
  for (const [key, isDelivered] of [
    ['B', true],
    ['D', true],
    ['E', false],
  ] as const) {
    const content = await site.withContext(({ ledger }) => ledger.records.content('talks', key));
    expect(content?.files).toMatchObject([{ attribute: 'image', isDelivered }]);
  }
});

test('While a file waits, other changes are sent without it; another address, or none, ends the wait', async () => {
  await using site = await openSite(simplest);
  const { url, mended } = await pictureServer();
  mended.add('/fine.png');
  const requested = async (title: string) => {
    writePictures(site, { A: `${url}/gone.png`, B: `${url}/gone.png` }, '', title);
    return (await site.sync())[0];
  };
  await requested('Maps');
  await requested('Maps');
  expect(await requested('Ships')).toMatchObject({ counts: { updated: 2 }, withoutFiles: 2 });
  const [tried] = (await json(site, 'explain', 'talks', 'A')).record.undeliveredFiles;
  expect(tried).toMatchObject({ tries: 2 });

  writePictures(site, { A: `${url}/fine.png`, B: '' }, '', 'Ships');
  const [last] = await site.sync();
  expect(last).toMatchObject({ status: 'success', counts: { updated: 1, unchanged: 1, uploaded: 1 } });
  expect(last).not.toHaveProperty('withoutFiles');
  expect(await json(site, 'plan', 'talks')).toMatchObject({ changes: [], counts: { unchanged: 2 } });
});

test('An item keeps its earlier file while its new one cannot be read, which is no match', async () => {
  await using site = await openSite(simplest);
  const { url, mended } = await pictureServer();
  mended.add('/fine.png');
  writePictures(site, { A: `${url}/fine.png`, B: `${url}/fine.png` });
  await site.sync();
  writePictures(site, { A: `${url}/gone.png`, B: 'nowhere.png' });
  for (const _ of ['tried', 'tried again', 'waits']) {
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 }, withoutFiles: 2 }]);
  }
  const { undeliveredFiles } = (await json(site, 'explain', 'talks', 'B')).record;
  expect(undeliveredFiles).toMatchObject([{ code: 'FF_ATTACHMENT_UNREADABLE', keepsEarlier: true }]);
  const drift = (await json(site, 'verify')).verified[0]?.drift;
  expect(drift).toMatchObject([
    { key: 'A', cause: 'undelivered', attributes: ['image'], error: { code: 'FF_ATTACHMENT_UNREADABLE' } },
    { key: 'B', cause: 'undelivered', attributes: ['image'] },
  ]);
  // The delivered file is wanted again.
  writePictures(site, { A: `${url}/fine.png`, B: `${url}/fine.png` });
  const [last] = await site.sync();
  expect(last).toMatchObject({ counts: { unchanged: 2, uploaded: 0 } });
  expect(last).not.toHaveProperty('withoutFiles');
  mended.add('/gone.png');
  writePictures(site, { A: `${url}/gone.png`, B: `${url}/fine.png` });
  await site.sync();
  expect(await json(site, 'verify')).toMatchObject({ verified: [{ inSync: 2, drift: [] }] });
});
