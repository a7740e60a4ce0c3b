import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CmsClient, type CmsItem, createCmsClient } from '../../../src/cms/client.ts';
import type { Payload } from '../../../src/core/record.ts';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord, RecordInDoubt } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../../../src/sync/context/delivery-context.ts';
import { findCreatedItem } from '../../../src/sync/match/find-created-item.ts';
import { createCmsSearch } from '../../../src/sync/search/cms-search.ts';
import { startRecordingProxy } from '../../e2e/recording-proxy.ts';
import type { TestCms } from '../../support/cms/start-cms.ts';
import { temporaryDir } from '../../support/engines.ts';
import { allJudged } from '../../support/ledger.ts';
import { openSandbox } from '../sandbox/harness.ts';

// Looking for what a create without an answer has left in a CMS whose lists do not show it, or not as it was sent.

const SYNC = 'talks';
const MARK = 'source_key';
const cleanups: Array<() => unknown> = [];
let ledger: Ledger;
let sandbox: TestCms;
let client: CmsClient;
let tell: (page: Page) => unknown;

interface Page {
  data: CmsItem[];
  pagination: Record<string, unknown>;
  totalItems: number;
}

beforeEach(async () => {
  const dir = temporaryDir();
  ledger = await openLedger({ dataDir: dir.path });
  sandbox = await openSandbox({ memory: true, switches: { maxLimit: 2 } });
  const proxy = await startRecordingProxy(sandbox.url);
  proxy.intercept = async ({ operation, url }) => {
    if (operation !== 'GET /api/v1/calendar/events') return undefined;
    const headers = { accept: 'application/json', 'user-agent': 'test', authorization: `Bearer ${sandbox.token}` };
    const page = (await (await fetch(`${sandbox.url}${url}`, { headers })).json()) as Page;
    return { status: 200, body: JSON.stringify(tell(page)) };
  };
  client = createCmsClient({ baseUrl: proxy.url, token: sandbox.token });
  cleanups.push(
    () => dir[Symbol.dispose](),
    () => ledger.close(),
    () => sandbox.close(),
    () => proxy[Symbol.asyncDispose](),
    () => client.close(),
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const talk = (title: string, date = '2030-03-01', start = '18:00:00'): Payload => {
  return { title, date, endDate: date, time: { start, end: '23:00:00', type: 'timed' } };
};

/** Records that were claimed, which leaves their creates in doubt, and claimed again. */
async function inDoubt(contents: Record<string, Payload>): Promise<RecordInDoubt[]> {
  const run = await ledger.runs.begin(SYNC, 'run');
  const keys = Object.keys(contents);
  const row = { run, op: 'create', place: 'line 1', resource: 'events', attachments: '[]', changed: '[]' } as const;
  const days = { starts_on: '2030-03-01', ends_on: '2030-03-01' };
  await ledger.plans.add(
    keys.map((key) => ({ ...row, ...days, key, desired: JSON.stringify(contents[key]), hash: key })),
  );
  await ledger.plans.apply(run, SYNC, allJudged);
  await ledger.records.claim(SYNC, keys, -1);
  const records = await ledger.records.claim(SYNC, keys, 600_000);
  await ledger.runs.finish(run);
  const isInDoubt = (record: ClaimedRecord): record is RecordInDoubt => 'quiet' in record;
  return records.filter(isInDoubt).sort((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key));
}

/** A record that was delivered, and whose item the lists have to show. */
async function deliver(key: string, payload: Payload, sent = payload): Promise<number> {
  const { id } = await client.events().create(sent);
  const [record] = await inDoubt({ [key]: payload });
  const post = { method: 'POST', attributes: Object.keys(sent) } as const;
  const result = { sent: post, cmsId: id, delivered: payload, deliveredAttachments: {} };
  await ledger.records.settle(record!, { is: 'created', ...result });
  return id;
}

/** @param failedAt when the create of the record failed; by default, it may have been sent until now */
function find(record: RecordInDoubt, externalId?: string, { failedAt, lookupAfterMs = 10 }: Failure = {}) {
  const context = {
    sync: { name: SYNC },
    target: { externalId, lookupAfterMs },
    ledger,
    cms: client,
    search: createCmsSearch(client, externalId, systemRuntime),
    runtime: systemRuntime,
    call: {},
  };
  const quiet = { since: performance.now(), failedAt };
  return findCreatedItem({ ...record, quiet }, context as unknown as DeliveryContext);
}

interface Failure {
  failedAt?: number;
  lookupAfterMs?: number;
}

describe('A list that does not show all items proves nothing', () => {
  const lies: Array<[string, (page: Page) => unknown]> = [
    ['is empty', () => ({ data: [], pagination: { total: 0, totalPages: 0, currentPage: 1 }, totalItems: 0 })],
    [
      'hides what an editor has not published',
      ({ data, ...page }) => ({ ...page, data: data.filter(({ id }) => id === 1) }),
    ],
    ['ignores the page', (page) => ({ ...page, data: page.data.map((item, index) => ({ ...item, id: index + 1 })) })],
    [
      'hides only the new item, which it counts',
      ({ data, ...page }) => ({ ...page, data: data.filter(({ id }) => id !== 5) }),
    ],
    [
      'counts one page beside a larger total',
      ({ pagination, ...page }) => {
        const { links, ...counts } = pagination;
        return { ...page, pagination: { ...counts, totalPages: 1 } };
      },
    ],
  ];

  test.each(lies)('A list that %s', async (_, lie) => {
    tell = (page) => page;
    for (let number = 1; number <= 4; number += 1) await deliver(`K${number}`, talk(`Known ${number}`));
    const [record] = await inDoubt({ T1: talk('Maps') });
    await client.events().create(talk('Maps'));
    tell = lie;
    expect(await find(record!)).toMatchObject({ is: 'unproven' });
    tell = (page) => page;
    expect(await find(record!)).toMatchObject({ is: 'oneItem', cmsId: 5 });
  });

  test('A list in an order of its own is read until it shows all', async () => {
    for (let number = 1; number <= 3; number += 1) await client.events().create(talk(`Other ${number}`));
    const { id } = await client.events().create(talk('Maps'));
    const [record] = await inDoubt({ T1: talk('Maps') });
    const all = (await Promise.all([1, 2].map((page) => client.events().page({ page })))).flatMap(({ data }) => data);
    let requests = 0;
    tell = (page) => {
      requests += 1;
      // The first reading shows the same half twice.
      const half = requests <= 2 ? all.slice(0, 2) : page.data;
      return { ...page, data: half };
    };
    expect(await find(record!)).toEqual({ is: 'oneItem', cmsId: id });
  });

  test('An item that was deleted in the CMS is no reason for doubt', async () => {
    tell = (page) => page;
    const id = await deliver('K1', talk('Known'));
    await deliver('K2', talk('Known, too'));
    await client.events().delete(id);
    const [record] = await inDoubt({ T1: talk('Maps') });
    expect(await find(record!)).toEqual({ is: 'provenAbsent' });
  });
});

describe('A CMS that changes what it is sent', () => {
  test.each<[string, Payload]>([
    ['escapes the title', talk('Fish &amp; Chips: the &quot;best&quot; of the town')],
    ['sets typographic quotes', talk('Fish & Chips: the “best” of the town')],
    ['writes times in another form', talk('Fish & Chips: the "best" of the town', '2030-03-01', '6:00 pm')],
  ])('An item is found in a CMS that %s', async (_, shown) => {
    tell = (page) => ({ ...page, data: page.data.map((item) => ({ ...item, ...shown })) });
    const sent = talk('Fish & Chips: the "best" of the town');
    const { id } = await client.events().create(sent);
    const [record] = await inDoubt({ T1: sent });
    expect(await find(record!)).toEqual({ is: 'oneItem', cmsId: id });
  });

  test.each<[string, Payload]>([
    ['cuts the title', talk('Fish & Chips: the "best')],
    ['shifts the day', talk('Fish & Chips: the "best" of the town', '2030-03-02')],
    ['shows the external id in upper case', { ...talk('Something else'), [MARK]: 'TALKS:T1-FISH-AND-CHIPS' }],
    ['cuts the external id', { ...talk('Something else'), [MARK]: 'talks:T1-fish-and' }],
  ])('A record is held rather than created twice in a CMS that %s', async (_, shown) => {
    tell = (page) => ({ ...page, data: page.data.map((item) => ({ ...item, ...shown })) });
    const sent = talk('Fish & Chips: the "best" of the town');
    await client.events().create(sent);
    const [record] = await inDoubt({ 'T1-fish-and-chips': sent });
    expect(await find(record!, MARK)).toMatchObject({ is: 'unproven' });
  });

  test('Another event with the same title at another time is not taken for the record', async () => {
    tell = (page) => page;
    await deliver('K1', talk('Maps', '2030-03-01', '10:00:00'));
    await client.events().create(talk('Maps', '2030-03-01', '14:00:00'));
    const [record] = await inDoubt({ T1: talk('Maps') });
    expect(await find(record!)).toEqual({ is: 'provenAbsent' });
  });
});
