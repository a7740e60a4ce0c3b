import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { combinations, openSite, png, type Site } from './site.ts';

function writeTalks(site: Site, image: string, options = ''): void {
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: ./talks.csv, allowPrivateNetwork: true }
key: id
map: { title: title, date: date, time.start: start }
attachments: { image: image }
${options}`,
  );
  site.write('syncs/talks.csv', `id,title,date,start,image\n1,Old Maps,2027-03-01,18:00,${image}\n`);
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

describe.each(combinations)('attachments on $ledger with $queue', (engines) => {
  test('a file that is missing when the plan is made: published without it, and added when it is there', async () => {
    await using site = await openSite(engines);
    writeTalks(site, 'a.png');
    const [report] = await site.sync();
    expect(report).toMatchObject({ counts: { created: 1, uploaded: 0 } });
    expect(report?.warnings).toMatchObject([{ at: 'line 2', message: expect.stringContaining('a.png') }]);
    site.write('syncs/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, uploaded: 1 } }]);
    rmSync(join(site.dir, 'config/syncs/a.png'));
    expect(await site.sync()).toMatchObject([{ counts: { updated: 0, unchanged: 1 } }]);
    const [event] = await site.items('calendar/events');
    expect(event?.image).toMatchObject({ src: expect.any(String) });
  });

  test('a file that cannot be fetched when it is delivered is fetched by a later run', async () => {
    await using site = await openSite(engines);
    const server = await pictures();
    server.broken = true;
    writeTalks(site, server.url);
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, uploaded: 0 } }]);
    server.broken = false;
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, uploaded: 0 } }]);
  });

  test('onAttachmentError: hold keeps such a record back', async () => {
    await using site = await openSite(engines);
    writeTalks(site, 'a.png', 'onAttachmentError: hold\n');
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'partial', counts: { held: 1, created: 0 } });
    expect(report?.problems).toMatchObject([{ key: '1', code: 'FF_ATTACHMENT_UNREADABLE' }]);
    site.write('syncs/a.png', png(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  });
});
