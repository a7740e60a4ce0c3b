import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { addressOf } from '../address-of.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

async function talks(): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00']);
  return site;
}

test('`start` serves the console on this machine by default, on any free port if the usual one is in use', async () => {
  await using site = await talks();
  // In use by another program of this machine, or else by this test.
  const other = createServer();
  const isUsed = new Promise((resolve) => other.once('listening', resolve).once('error', resolve));
  other.listen(8420, '127.0.0.1');
  await isUsed;
  onTestFinished(() => void other.close());
  const url = (await addressOf(['start'], site, { HTTP_PORT: '' })) ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(url).not.toMatch(/:8420$/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
});

test('HTTP_PORT=off turns it off', async () => {
  await using site = await talks();
  expect(await addressOf(['start'], site, { HTTP_PORT: 'off' })).toBeUndefined();
});

test('`console` serves beside syncs that other processes run, on a port that is named', async () => {
  await using site = await talks();
  const url = (await addressOf(['console', '--port', '0'], site, {})) ?? '';
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const { port } = new URL(url);
  const refused = await runHere(['console', '--port', port], site.variables);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('FF_HTTP_LISTEN')]);
  const wrong = await runHere(['console', '--port', 'eighty'], site.variables);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('--port needs a port number')]);
});

test('Each page needs at most 60 kB with all that it loads', async () => {
  await using site = await talks();
  const [run] = await site.sync();
  const url = (await addressOf(['console', '--port', '0'], site, {})) ?? '';
  const paths = ['/', '/syncs/talks', '/syncs/talks/runs', '/syncs/talks/rejects', `/runs/${run?.run}`];
  for (const path of paths) {
    const page = await transferred(url + path);
    const html = gunzipSync(page).toString();
    expect(html).toContain('<h1');
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset]) => url + asset);
    expect(assets.length).toBeGreaterThan(1);
    const bytes = await Promise.all(assets.map(async (asset) => (await transferred(asset)).length));
    expect([path, bytes.reduce((sum, more) => sum + more, page.length)]).toEqual([path, expect.toSatisfy(isSmall)]);
  }
});

const isSmall = (bytes: number) => bytes <= 60_000;

/** The bytes of a response as a browser gets them. */
async function transferred(url: string): Promise<Buffer> {
  const headers = { accept: 'text/html,*/*', 'accept-encoding': 'gzip' };
  const response = await new Promise<IncomingMessage>((resolve) => get(url, { headers }, resolve));
  expect([url, response.statusCode]).toEqual([url, 200]);
  return buffer(response);
}
