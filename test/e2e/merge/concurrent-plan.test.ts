import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

/** Serves the feed of a source: conditional requests work, and a response can be held back. */
async function serveMusic() {
  const state = { etag: '"1"', rows: ['8,Jazz,2031-06-01,20:00,Club,'], hold: Promise.resolve(), onRequest: () => {} };
  const server = createServer(async (request, response) => {
    const { etag, rows, hold } = state;
    state.onRequest();
    await hold;
    response.setHeader('etag', etag).setHeader('content-type', 'text/csv');
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.end(`id,title,date,start,hall,text\n${rows.join('\n')}\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/music.csv`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('A plan that reads a source during a run makes no record missing', async () => {
  await using music = await serveMusic();
  await using site = await openCampus();
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
  central: { connector: csv, url: ./feeds/central.csv }
  music: { connector: csv, url: "${music.url}", allowPrivateNetwork: true }
key: id
map: { title: title, date: date, time.start: start, location: hall }
missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }
`,
  );
  writeCalendar(site, 'central', [['1', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);

  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  Object.assign(music.state, { etag: '"2"', hold, onRequest: asked.resolve });
  const planned = site.withContext((context) => planRun(context));
  await asked.promise;
  Object.assign(music.state, { hold: Promise.resolve(), onRequest: () => {} });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
  release();
  expect(await planned).toMatchObject({ creates: 0, deletes: 0 });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, deleted: 0 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, deleted: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(2);
});
