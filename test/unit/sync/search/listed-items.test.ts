import { describe, expect, test } from 'vitest';
import type { CmsClient, CmsItem, EventQuery } from '../../../../src/cms/client.ts';
import { addDays } from '../../../../src/core/dates/iso-date.ts';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import type { RecordWithItem } from '../../../../src/ledger/records/claimed-record.ts';
import { createListedItems } from '../../../../src/sync/search/listed-items.ts';

const LIMIT = 100;

const dayOf = (id: number) => addDays('2027-01-01', Math.floor(id / 10));

/** A site with so many events, ten a day, of which each list shows what it is asked for. */
function openCms(events: number, { msPerPage = 0 }: Options = {}) {
  const items = Array.from({ length: events }, (_, id): CmsItem => ({ id, title: `Talk ${id}`, date: dayOf(id) }));
  const requests = { pages: 0, items: 0 };
  const page = async ({ startDate = '', endDate = '9', page: nth = 1 }: EventQuery = {}) => {
    requests.pages += 1;
    site.now += msPerPage;
    const all = items.filter(({ date }) => String(date) >= startDate && String(date) <= endDate);
    const totalPages = Math.ceil(all.length / LIMIT);
    return { data: all.slice((nth - 1) * LIMIT, nth * LIMIT), pagination: { totalPages, total: all.length } };
  };
  const get = (id: number) => async () => {
    requests.items += 1;
    return items[id];
  };
  const site = { items, requests, get, cms: { events: () => ({ page }) } as unknown as CmsClient, now: 0 };
  return site;
}

interface Options {
  batch?: number;
  msPerItem?: number;
  msPerPage?: number;
}

/** The record of an item, as far as it matters here. */
function recordOf(id: number, { claim = 'claim', run = 'run' } = {}): RecordWithItem {
  const delivered = { title: `Talk ${id}`, date: dayOf(id) };
  const item = { cmsId: id, delivered, madeByCms: {} };
  return { ...{ id, sync: 'talks', resource: 'events', claim, run }, item } as unknown as RecordWithItem;
}

/** Takes the items of these ids, one after the other, as batches of a run do. */
async function takeAll(
  ids: readonly number[],
  site: ReturnType<typeof openCms>,
  { batch = 50, msPerItem = 0 }: Options = {},
) {
  const { listed } = createListedItems(site.cms, { ...systemClock, monotonic: () => site.now });
  const shown: Array<CmsItem | undefined> = [];
  for (let start = 0; start < ids.length; start += batch) {
    const records = ids.slice(start, start + batch).map((id) => recordOf(id, { claim: String(start) }));
    for (const [nth, record] of records.entries()) {
      const get = site.get(record.item.cmsId);
      const options = { sync: {}, body: { title: 'New' }, batch: () => records.slice(nth), following: 0, get };
      shown.push((await listed(record, options)) ?? (await get()));
      site.now += msPerItem;
    }
  }
  return shown.map((item) => item?.id);
}

const range = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, nth) => from + nth * step);

describe('The items of updates come from pages if these are fewer', () => {
  test.each<[string, number, number[], Options, { pages: number; items: number }]>([
    ['60 of 100', 100, range(20, 60), {}, { pages: 1, items: 2 }],
    ['60 of 100 in small batches', 100, range(20, 60), { batch: 8 }, { pages: 1, items: 2 }],
    ['3 of 10,000', 10_000, range(20, 3), {}, { pages: 0, items: 3 }],
    ['300 of 300', 300, range(0, 300), {}, { pages: 3, items: 6 }],
    ['500 of 10,000, of the same days', 10_000, range(5_000, 500), {}, { pages: 1 + 10, items: 10 }],
    ['40 of 10,000, each of another month', 10_000, range(1_000, 40, 200), {}, { pages: 1, items: 40 }],
    ['60 of 800 in small batches', 800, range(20, 60), { batch: 12 }, { pages: 8, items: 2 }],
    ['600 of 1,000, pages that take long', 1_000, range(0, 600), { msPerPage: 2_000 }, { pages: 10, items: 600 }],
    ['60 of 100, three a second', 100, range(20, 60), { msPerItem: 333 }, { pages: 3, items: 2 }],
    ['60 of 100, one every six seconds', 100, range(20, 60), { msPerItem: 6_000 }, { pages: 28, items: 6 }],
  ])('%s', async (_, events, ids, options, requests) => {
    const site = openCms(events, options);
    expect(await takeAll(ids, site, options)).toEqual(ids);
    expect(site.requests).toEqual(requests);
  });
});
