import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
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
function writePictures(site: Site, pictures: Record<string, string>, options = ''): void {
  const source = 'connector: csv, url: ./feeds/talks.csv, allowPrivateNetwork: true';
  writeTalksSync(site, `attachments: { image: image }\n${options}`, { source });
  const rows = Object.entries(pictures).map(([key, image]) => `${key},Talk ${key},2027-03-01,18:00,${image}`);
  writeTalks(site, rows, { columns: 'id,title,date,start,image' });
}

async function run(site: Site, ...args: string[]) {
  return runHere([...args, '--config', `${site.dir}/config`], site.variables);
}

async function json(site: Site, ...args: string[]) {
  return (await run(site, ...args, '--json')).json();
}

/** Lets the pauses of all files end. */
async function endPauses(site: Site): Promise<void> {
  const { db } = await openDatabase({ dataDir: site.environment().dataDir });
  await db.updateTable('records').set({ files_retry_at: 1 }).where('files_retry_at', 'is not', null).execute();
  await db.destroy();
}

describe('A record that is delivered without its file', () => {
  test('Every command names it with the reason, and no plan counts it as an update for ever', async () => {
    await using site = await openSite(simplest);
    const { url, mended } = await pictureServer();
    const pictures = {
      A: `${url}/nothing.png?token=secret`,
      B: `${url}/gone.png`,
      C: `${url}/members.png`,
      D: `${url}/phone.heic`,
      E: `${url}/bad.svg`,
      F: 'nowhere.png',
      G: '/etc/hostname',
      H: `${url}/fine.png`,
    };
    mended.add('/fine.png');
    writePictures(site, pictures);
    const first = await json(site, 'sync');
    console.log(JSON.stringify(first, null, 1));
    console.log((await run(site, 'plan', 'talks')).stdout);
    console.log((await run(site, 'sync', 'talks')).stdout);
    console.log((await run(site, 'plan', 'talks')).stdout);
    console.log((await run(site, 'status')).stdout);
    console.log((await run(site, 'runs')).stdout);
    console.log((await run(site, 'explain', 'talks', 'A')).stdout);
    console.log((await run(site, 'verify')).stdout);
    await endPauses(site);
    mended.add('/gone.png');
    console.log((await run(site, 'plan', 'talks')).stdout);
    console.log((await run(site, 'retry', 'talks')).stdout);
  });
});
