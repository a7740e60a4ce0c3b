import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, png, simplest } from '../site.ts';

test('Attachments may come from a private network only if their source may', async () => {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png(1)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const image = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
  await using site = await openSite(simplest);
  for (const allowed of [true, false]) {
    writeTalksSync(site, 'attachments: { image: image }\nonAttachmentError: hold\nalike: allow', {
      name: allowed ? 'allowed' : 'refused',
      source: `connector: csv, url: ./feeds/talks.csv, allowPrivateNetwork: ${allowed}`,
    });
  }
  writeTalks(site, [`T1,Maps,2027-03-01,18:00,${image}`], { columns: 'id,title,date,start,image' });

  const [allowed, refused] = await site.sync();
  expect(allowed).toMatchObject({ status: 'success', counts: { created: 1, uploaded: 1 } });
  expect(refused).toMatchObject({ status: 'partial', counts: { created: 0, uploaded: 0 } });
  expect(refused?.problems[0]?.reason).toContain('private network');
});
