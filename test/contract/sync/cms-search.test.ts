import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CmsClient, createCmsClient } from '../../../src/cms/client.ts';
import type { SyncConfig, TargetConfig } from '../../../src/config/types.ts';
import type { Payload, Resource } from '../../../src/core/record.ts';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord, Quiet, RecordInDoubt } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../../../src/sync/context/delivery-context.ts';
import { findCreatedItem, type LookUpResult } from '../../../src/sync/match/find-created-item.ts';
import { createCmsSearch } from '../../../src/sync/search/cms-search.ts';
import type { TestCms, TestCmsOptions } from '../../support/cms/start-cms.ts';
import { temporaryDir } from '../../support/engines.ts';
import { allJudged } from '../../support/ledger.ts';
import { openSandbox } from '../sandbox/harness.ts';

// Looking for what unanswered creates may have left in the CMS: the real client, ledger and sandbox.

const cleanups: Array<() => unknown> = [];
let ledger: Ledger;

beforeEach(async () => {
  const dir = temporaryDir();
  ledger = await openLedger({ dataDir: dir.path });
  cleanups.push(
    () => dir[Symbol.dispose](),
    () => ledger.close(),
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Site {
  sandbox: TestCms;
  cms: CmsClient;
  /** Requests for a list, or one of its pages, since the last call. */
  gets(): number;
  /** How often the whole list of accounts was read. */
  readings(): number;
  /** Looks for the item, and takes it. Looks again if another record was faster. */
  find(record: RecordInDoubt, options?: { renamedFrom?: string[]; signal?: AbortSignal }): Promise<LookUpResult>;
}

async function openCms(options: TestCmsOptions = {}, externalId?: string): Promise<Site> {
  const sandbox = await openSandbox({ memory: true, ...options });
  const cms = createCmsClient({ baseUrl: sandbox.url, token: sandbox.token, concurrency: 16 });
  cleanups.push(
    () => sandbox.close(),
    () => cms.close(),
  );
  let readings = 0;
  const watched: CmsClient = {
    ...cms,
    accounts: () => ({
      ...cms.accounts(),
      list: (query) => {
        readings += 1;
        return cms.accounts().list(query);
      },
    }),
  };
  const search = createCmsSearch(watched, externalId, systemRuntime);
  let before = 0;
  return {
    sandbox,
    cms,
    gets() {
      const { requests } = sandbox.stats();
      const now = (requests['GET /account/accounts'] ?? 0) + (requests['GET /calendar/events'] ?? 0);
      const since = now - before;
      before = now;
      return since;
    },
    readings: () => readings,
    async find(record, { renamedFrom, signal } = {}) {
      const sync = { name: record.sync, resource: record.resource, renamedFrom } as SyncConfig;
      const target = { externalId, lookupAfterMs: 10 } as TargetConfig;
      const context = { sync, target, targetId: 'cms', ledger, search, runtime: systemRuntime, call: { signal } };
      for (;;) {
        const found = await findCreatedItem(record, context as unknown as DeliveryContext);
        if (found.is !== 'oneItem' || (await ledger.records.takeItem(record, found.cmsId)) === 'taken') return found;
      }
    },
  };
}

/** Records that a killed process may have created, claimed again. */
async function inDoubt(resource: Resource, contents: Record<string, Payload>): Promise<RecordInDoubt[]> {
  const sync = `${resource}-${Math.random()}`;
  const run = await ledger.runs.begin(sync, 'run');
  const keys = Object.keys(contents);
  const row = { run, op: 'create', place: 'line 1', resource, attachments: '[]', changed: '[]' } as const;
  for (let start = 0; start < keys.length; start += 100) {
    const some = keys.slice(start, start + 100);
    await ledger.plans.add(some.map((key) => ({ ...row, key, desired: JSON.stringify(contents[key]), hash: key })));
  }
  await ledger.plans.apply(run, sync, allJudged);
  await ledger.records.claim(sync, keys, -1);
  const records = await ledger.records.claim(sync, keys, 600_000);
  expect(records.map(({ knows }) => knows)).toEqual(keys.map(() => 'maybe'));
  return records.filter(isInDoubt).sort((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key));
}

function isInDoubt(record: ClaimedRecord): record is RecordInDoubt {
  return 'quiet' in record;
}

/** The record, as if earlier creates had ended at another time. */
function quiet(record: RecordInDoubt, change: Partial<Quiet>): RecordInDoubt {
  return { ...record, quiet: { ...record.quiet, ...change } };
}

const person = (number: number): Payload => ({ email: `P${number}@Example.edu`, username: `p${number}` });

/** Creates these people in the CMS, and returns their ids. */
function create({ sandbox }: Site, accounts: Payload[]): number[] {
  return sandbox.create('accounts', accounts);
}

function people(from: number, to: number): Payload[] {
  return Array.from({ length: to - from }, (_, index) => person(from + index));
}

function byKey(payloads: Payload[]): Record<string, Payload> {
  return Object.fromEntries(payloads.map((payload) => [String(payload.username), payload]));
}

describe('Accounts', () => {
  test('A look-up of 400 unconfirmed accounts reads the list once, and again for those that it does not show', async () => {
    const site = await openCms({ switches: { attributesFilter: 'ignored' } });
    const ids = await create(site, [...people(0, 200), ...people(5000, 5200)]);
    const records = await inDoubt('accounts', byKey(people(0, 400)));
    site.gets();
    const found = await Promise.all(records.map((record) => site.find(record)));
    const expected = records.map((_, index) =>
      index < 200 ? { is: 'oneItem', cmsId: ids[index] } : { is: 'provenAbsent' },
    );
    expect(found).toEqual(expected);
    expect(site.readings()).toBeLessThanOrEqual(2);
    // Twice 4 pages, the first once more for the probe, and a filter by email that the CMS does not heed.
    expect(site.gets()).toBeLessThanOrEqual(4 + 4 + 1 + 1);
  });

  const lists: Array<NonNullable<TestCmsOptions['switches']>> = [
    { numbersAsStrings: true },
    { lastPage: 'empty' },
    { lastPage: 'error', links: 'bare' },
    { maxLimit: 30 },
    { cleared: 'omit' },
  ];
  const heeded = ['ignored', 'on'] as const;
  test.each(lists.flatMap((switches) => heeded.map((attributesFilter) => ({ ...switches, attributesFilter }))))(
    'Accounts are found in a CMS with %j',
    async (switches) => {
      const site = await openCms({ switches });
      const ids = await create(site, people(0, 350));
      const records = await inDoubt('accounts', byKey([...people(5, 10), ...people(345, 355)]));
      const found = await Promise.all(records.map((record) => site.find(record)));
      const expected = [...ids.slice(5, 10), ...ids.slice(345)].map((cmsId) => ({ is: 'oneItem', cmsId }));
      expect(found).toEqual([...expected, ...Array(5).fill({ is: 'provenAbsent' })]);
    },
  );

  test('A few accounts are looked up by filter if the CMS supports it, without reading the list', async () => {
    const site = await openCms({}, 'source_key');
    await create(site, [{ email: 'a@example.edu', username: 'a', source_key: 'accounts-0.1:a' }, ...people(0, 900)]);
    const [ada, ghost] = await inDoubt('accounts', byKey([person(5000), person(5001)]));
    const [marked] = await create(site, [{ email: 'now@example.edu', source_key: `${ada?.sync}:p5000` }]);
    site.gets();
    expect(await site.find(ada!)).toEqual({ is: 'oneItem', cmsId: marked });
    expect(site.readings()).toBe(0);
    // One page; for each of three attributes, two requests that find out how to ask; four questions, emails in two spellings.
    expect(site.gets()).toBe(1 + 6 + 4);
    expect(await site.find(ghost!)).toEqual({ is: 'provenAbsent' });
    // Asked again, if the create is not settled by then, the questions would cost more than the list.
    expect(site.readings()).toBeLessThanOrEqual(1);
  });

  test('An account that was created before its sync was renamed is found by filter', async () => {
    const site = await openCms({}, 'source_key');
    await create(site, [{ email: 'a@example.edu', source_key: 'accounts-0.1:a' }, ...people(0, 900)]);
    const [record] = await inDoubt('accounts', { ada: { email: 'ada@example.edu' } });
    const created = await site.cms.accounts().create({ email: 'ada@example.net', source_key: 'former:ada' });
    expect(await site.find(record!, { renamedFrom: ['former'] })).toEqual({ is: 'oneItem', cmsId: created.id });
    expect(site.readings()).toBe(0);
  });

  test('Many unconfirmed accounts cost no more queries than the list has pages, and then the list', async () => {
    const site = await openCms();
    const ids = await create(site, people(0, 800));
    const few = await inDoubt('accounts', byKey(people(10, 11)));
    const many = await inDoubt('accounts', byKey(people(20, 320)));
    site.gets();
    expect(await Promise.all(few.map((record) => site.find(record)))).toEqual([{ is: 'oneItem', cmsId: ids[10] }]);
    expect([site.readings(), site.gets()]).toEqual([0, 1 + 4 + 3]);
    expect(await Promise.all(many.map((record) => site.find(record)))).toEqual(
      ids.slice(20, 320).map((cmsId) => ({ is: 'oneItem', cmsId })),
    );
    expect(site.readings()).toBe(1);
    expect(site.gets()).toBeLessThanOrEqual(8 + 8);
  });

  test('A value with characters that the filter may not support is looked up in the list', async () => {
    const site = await openCms();
    await create(site, people(0, 350));
    const [id] = await create(site, [{ email: 'o+x@example.edu' }]);
    const [record] = await inDoubt('accounts', { x: { email: 'o+x@example.edu' } });
    const [other] = await inDoubt('accounts', { y: { email: 'josé@example.edu' } });
    expect(await site.find(record!)).toEqual({ is: 'oneItem', cmsId: id });
    expect(site.readings()).toBe(1);
    expect(await site.find(other!)).toEqual({ is: 'provenAbsent' });
    expect(site.readings()).toBeLessThanOrEqual(2);
  });

  test('Items of other records do not match, and ambiguous or partial matches are reported', async () => {
    const site = await openCms({}, 'source_key');
    const [foreign, one, two, half] = await create(site, [
      { ...person(1), source_key: 'others:p1' },
      person(2),
      person(2),
      { ...person(3), username: 'somebody-else' },
    ]);
    expect(foreign).toBeDefined();
    const [first, second, third] = await inDoubt('accounts', byKey([person(1), person(2), person(3)]));
    expect(await site.find(first!)).toEqual({ is: 'provenAbsent' });
    const adopt = `feedferry explain ${second?.sync} "p2" --adopt ID`;
    expect(await site.find(second!)).toEqual({
      is: 'several',
      reason: expect.stringMatching(new RegExp(`2 items that match it \\(ids ${one}, ${two}\\).*${adopt}.*retry`)),
    });
    expect(await site.find(third!)).toEqual({
      is: 'several',
      reason: expect.stringContaining(`not both (ids ${half})`),
    });
  });

  test('An account of another person with the same job title is not taken', async () => {
    const site = await openCms();
    await create(site, [{ ...person(1), title: 'Dean' }]);
    const [record] = await inDoubt('accounts', { p2: { ...person(2), title: 'Dean' } });
    expect(await site.find(record!)).toEqual({ is: 'provenAbsent' });
  });

  test('Two similar records never get the same item', async () => {
    const site = await openCms();
    const [id] = await create(site, [person(1)]);
    const twins = await inDoubt('accounts', { a: person(1), b: person(1) });
    const found = await Promise.all(twins.map((twin) => site.find(twin)));
    expect(found.toSorted((one, other) => one.is.localeCompare(other.is))).toEqual([
      { is: 'oneItem', cmsId: id },
      { is: 'provenAbsent' },
    ]);
  });

  test('A record without identifying values is held unless the CMS is empty or shows external ids', async () => {
    const nameless = { firstName: 'Ada' };
    const site = await openCms({}, 'source_key');
    const [lonely, held, known] = await inDoubt('accounts', { a: nameless, b: nameless, c: nameless });
    expect(await site.find(lonely!)).toEqual({ is: 'provenAbsent' });
    await create(site, people(0, 2));
    expect(await site.find(quiet(held!, { since: performance.now() }))).toMatchObject({ is: 'several' });
    const [id] = await create(site, [{ ...nameless, source_key: `${known?.sync}:c` }]);
    const later = { since: performance.now() };
    expect(await site.find(quiet(held!, later))).toEqual({ is: 'provenAbsent' });
    expect(await site.find(quiet(known!, later))).toEqual({ is: 'oneItem', cmsId: id });
  });

  test('A list that was read before the claim is not used', async () => {
    const site = await openCms();
    const [early, late] = await inDoubt('accounts', byKey([person(1), person(2)]));
    expect(await site.find(early!)).toEqual({ is: 'provenAbsent' });
    const [id] = await create(site, [person(2)]);
    expect(await site.find(quiet(late!, { since: performance.now() }))).toEqual({ is: 'oneItem', cmsId: id });
  });

  test('A list is not read before a create has ended that may have been sent until the clock was set', async () => {
    const site = await openCms();
    const [record] = await inDoubt('accounts', byKey([person(1)]));
    const created = sleep(5).then(() => create(site, [person(1)]));
    const doubtedSince = performance.now() + 200;
    expect(await site.find(quiet(record!, { doubtedSince }))).toEqual({ is: 'oneItem', cmsId: (await created)[0] });
    expect(performance.now()).toBeGreaterThan(doubtedSince + 10);
  });
});

test('A stopping process does not wait for the list, and the others still get it', async () => {
  const site = await openCms({ faults: { faults: [{ kind: 'latency', ms: 200 }] } });
  const [stopping, going] = await inDoubt('accounts', byKey(people(0, 2)));
  const stop = new AbortController();
  const both = Promise.allSettled([site.find(stopping!, { signal: stop.signal }), site.find(going!)]);
  stop.abort();
  expect(await both).toMatchObject([
    { status: 'rejected', reason: { code: 'FF_CMS_ABORTED', ambiguous: false } },
    { status: 'fulfilled', value: { is: 'provenAbsent' } },
  ]);
  // The second one is not needed if the create is settled by then.
  expect(site.readings()).toBeLessThanOrEqual(2);
});

describe('Events', () => {
  const event = (title: string, date: string, endDate = date): Payload => {
    return { title, date, endDate, time: { start: '18:00:00', end: '19:00:00', type: 'timed' } };
  };

  test.each(['overlaps', 'starts'] as const)(
    'Events of one and several days are found in a CMS that filters by %s',
    async (dateFilter) => {
      const site = await openCms({ switches: { dateFilter } });
      const contents = [event('Talk', '2027-03-01'), event('Fair', '2027-02-27', '2027-03-04')];
      for (const content of contents) await site.cms.events().create(content);
      await site.cms.events().create(event('Other', '2027-03-01'));
      const records = await inDoubt('events', {
        talk: contents[0]!,
        fair: contents[1]!,
        none: event('None', '2027-03-01'),
      });
      site.gets();
      expect(await Promise.all(records.map((record) => site.find(record)))).toMatchObject([
        { cmsId: 1 },
        { cmsId: 2 },
        { is: 'provenAbsent' },
      ]);
      // One list for each span of days, and the first one again for what it does not show.
      expect(site.gets()).toBeLessThanOrEqual(3);
    },
  );

  test('Events are found on the day of an earlier create', async () => {
    const site = await openCms();
    const { id } = await site.cms.events().create(event('Talk', '2027-03-01'));
    const [record] = await inDoubt('events', { talk: event('Talk, moved', '2027-05-01') });
    const open = [{ method: 'POST', doubt: 'sent', body: event('Talk', '2027-03-01'), before: null } as const];
    expect(await site.find({ ...record!, open })).toEqual({
      is: 'oneItem',
      cmsId: id,
    });
  });
});
