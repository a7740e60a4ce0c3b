import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { lookAtDatabase } from '../../src/ledger/database/open.ts';
import type { RecordContents } from '../../src/ledger/database/schema.ts';
import { verifySyncs } from '../../src/sync/verify/verify-syncs.ts';
import { writeTalks, writeTalksSync } from '../e2e/fixtures.ts';
import { openSite, type Site, writeTarget } from '../e2e/site.ts';
import { rounds } from '../support/long.ts';

const ITEMS = rounds(1_000, 100_000);
const PAGE = 100;
const time = { start: '18:00:00', end: '18:00:00', type: 'timed' };
const payloadOf = (id: number) => ({ title: `Talk ${id}`, date: '2030-03-01', endDate: '2030-03-01', time });
const markOf = (id: number) => ({ source_key: `talks:T${id}` });

test(`${ITEMS} items take a request for each hundred`, async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  await using cms = await startList();
  site.variables.CMS_BASE_URL = cms.url;
  writeTarget(site, '  externalId: source_key\n  lookupAfter: 10ms\n');
  writeTalksSync(site);
  writeTalks(site, []);
  await seedLedger(site);
  const [verified] = await site.withApp((app) =>
    verifySyncs(app.config.syncs.map((sync) => app.contextOf(sync, { signal: new AbortController().signal }))),
  );
  const edited = { cause: 'edited', attributes: ['title'] };
  expect(verified?.result).toMatchObject({
    ...{ items: ITEMS, requests: ITEMS / PAGE, inSync: ITEMS - 2 },
    drift: [
      { key: `T${ITEMS / 2}`, cmsId: ITEMS / 2, ...edited },
      { key: `T${ITEMS - 1}`, cmsId: ITEMS - 1, ...edited },
    ],
    certificate: { proven: true, counts: { records: ITEMS } },
  });
  expect(cms.requests()).toBe(ITEMS / PAGE);
}, 600_000);

/** The list of a CMS in which two items were edited. */
async function startList() {
  let requests = 0;
  const server = createServer(({ url = '' }, response) => {
    requests += 1;
    const page = Number(new URL(url, 'http://cms').searchParams.get('page'));
    const data = Array.from({ length: PAGE }, (_, index) => {
      const id = (page - 1) * PAGE + index + 1;
      const isEdited = id === ITEMS / 2 || id === ITEMS - 1;
      return { id, ...payloadOf(id), ...markOf(id), ...(isEdited ? { title: 'Edited' } : {}) };
    });
    const pagination = { currentPage: page, perPage: PAGE, totalPages: ITEMS / PAGE, total: ITEMS };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, pagination }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A ledger in which a record was delivered for each item. */
async function seedLedger(site: Site): Promise<void> {
  await site.withApp(async () => {});
  await lookAtDatabase({ dataDir: site.variables.FEEDFERRY_DATA ?? '' }, async ({ db }) => {
    for (let first = 1; first <= ITEMS; first += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => rowOf(first + index));
      await sql`
        insert into contents (id, payload, attachments, hash) select value ->> 'cms_id', value ->> 'desired', '[]', 'h'
        from json_each(${JSON.stringify(rows)})
      `.execute(db);
      await sql`
        insert into records (sync, key, resource, place, wanted, run, status, knows, cms_id, has, item)
        select 'talks', value ->> 'key', 'events', 'line 1', value ->> 'cms_id', 'r', 'delivered', 'known',
          value ->> 'cms_id', value ->> 'cms_id', value ->> 'item'
        from json_each(${JSON.stringify(rows)})
      `.execute(db);
    }
  });
}

function rowOf(id: number): Pick<RecordContents, 'key' | 'desired' | 'cms_id' | 'item'> {
  const payload = payloadOf(id);
  return { key: `T${id}`, desired: JSON.stringify(payload), cms_id: id, item: JSON.stringify({ other: markOf(id) }) };
}
