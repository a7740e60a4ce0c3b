import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestCmsOptions } from '../../support/cms/start-cms.ts';
import {
  accounts,
  type Body,
  type Caller,
  callerOf,
  createEvent,
  events,
  openSandbox,
  withSandbox,
} from './harness.ts';

/** Follows next from the first page on and returns every page. */
async function pages(api: Caller, first: string): Promise<Body[]> {
  const seen: Body[] = [];
  for (let query: string | undefined = first; query !== undefined && seen.length < 50; ) {
    const { body } = await api.call('GET', events + query);
    seen.push(body);
    query = body.pagination.links.next;
  }
  return seen;
}

const titles = (body: Body) => body.data.map((event: Body) => event.title);

describe('Pagination', () => {
  const api = withSandbox();
  beforeAll(async () => {
    for (let number = 1; number <= 45; number += 1) await createEvent(api, { title: `Event ${number}` });
  });

  test('A set has 20 items by default and the whole envelope', async () => {
    const { status, body } = await api.call('GET', events);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(20);
    expect(body.pagination).toEqual({
      currentPage: 1,
      perPage: 20,
      count: 20,
      totalPages: 3,
      total: 45,
      links: { next: '?page=2&limit=20' },
    });
    expect(body.totalItems).toBe(45);
  });

  test('The middle page links both ways, and the last one only back', async () => {
    const middle = (await api.call('GET', `${events}?page=2`)).body.pagination;
    expect(middle.links).toEqual({ previous: '?page=1&limit=20', next: '?page=3&limit=20' });
    const last = (await api.call('GET', `${events}?page=3`)).body.pagination;
    expect(last).toMatchObject({ count: 5, currentPage: 3 });
    expect(last.links).toEqual({ previous: '?page=2&limit=20' });
  });

  test('The next links lead through every item once', async () => {
    const seen = (await pages(api, '?limit=7')).flatMap(titles);
    expect(seen).toHaveLength(45);
    expect(new Set(seen).size).toBe(45);
  });

  test('Links keep the other parameters', async () => {
    const query = '?limit=4&search=event&sort=-title&startDate=2026-01-01&attributes[title]=Event%2012';
    const { links } = (await api.call('GET', `${events}${query}&page=2`)).body.pagination;
    const params = new URLSearchParams(links.previous);
    expect(Object.fromEntries(params)).toEqual({
      page: '1',
      limit: '4',
      search: 'event',
      sort: '-title',
      startDate: '2026-01-01',
      'attributes[title]': 'Event 12',
    });
    const sorted = (await pages(api, '?limit=10&sort=%2Btitle')).flatMap(titles);
    expect(sorted).toEqual([...sorted].sort());
    const found = (await pages(api, '?limit=3&search=event+1')).flatMap(titles);
    expect(found).toHaveLength(14);
  });

  test('Links stay in the instance', async () => {
    for (const title of ['a', 'b', 'c']) await createEvent(api, { title }, '?instance=arts');
    const middle = (await api.call('GET', `${events}?instance=arts&limit=1&page=2`)).body.pagination.links;
    expect(Object.values<string>(middle).map((link) => new URLSearchParams(link).get('instance'))).toEqual([
      'arts',
      'arts',
    ]);
    expect((await pages(api, '?instance=arts&limit=1')).flatMap(titles)).toEqual(['a', 'b', 'c']);
    expect(titles((await api.call('GET', events + middle.previous)).body)).toEqual(['a']);
  });

  test('A larger limit is lowered to 100, and a page beyond the last is empty', async () => {
    expect((await api.call('GET', `${events}?limit=5000`)).body.pagination.perPage).toBe(100);
    const { status, body } = await api.call('GET', `${events}?page=9`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], totalItems: 45, pagination: { count: 0, currentPage: 9 } });
    expect(body.pagination.links).not.toHaveProperty('next');
  });

  test('A list whose last set is full has no further one', async () => {
    const { totalPages, links } = (await api.call('GET', `${events}?limit=15&page=3`)).body.pagination;
    expect([totalPages, links]).toEqual([3, { previous: '?page=2&limit=15' }]);
  });

  test('The items of a list are whole', async () => {
    const [first] = (await api.call('GET', `${events}?limit=1`)).body.data;
    expect(first).toEqual((await api.call('GET', `${events}/${first.id}`)).body);
  });

  test('An empty list has one empty page', async () => {
    const { body } = await api.call('GET', `${events}?instance=none`);
    expect(body.pagination).toEqual({ currentPage: 1, perPage: 20, count: 0, totalPages: 0, total: 0, links: {} });
  });
});

describe('Filters', () => {
  const api = withSandbox();
  const at = (date: string, endDate: string) => ({ date, endDate });
  beforeAll(async () => {
    await createEvent(api, {
      ...at('2026-05-01', '2026-05-01'),
      title: 'Äpfel im Garten',
      source_key: 'a:1',
      seats: 5,
    });
    await createEvent(api, {
      ...at('2026-05-03', '2026-05-06'),
      title: 'Fair',
      description: 'apples',
      isFeatured: true,
    });
    await createEvent(api, { ...at('2026-05-08', '2026-05-08'), title: 'concert: 50% _off_', source_key: 'a:2' });
  });

  test.each([
    ['startDate=2026-05-01', [1, 2, 3]],
    ['startDate=2026-05-02', [2, 3]],
    ['startDate=2026-05-05', [2, 3]],
    ['startDate=2026-05-07', [3]],
    ['endDate=2026-05-08', [1, 2, 3]],
    ['endDate=2026-05-03', [1, 2]],
    ['endDate=2026-04-30', []],
    ['startDate=2026-05-04&endDate=2026-05-04', [2]],
    ['search=GARTEN', [1]],
    ['search=%C3%A4pfel', [1]],
    ['search=apples+fair', [2]],
    ['search=50%25', [3]],
    ['search=_off_', [3]],
    ['search=nothing', []],
    ['attributes[source_key]=a:1', [1]],
    ['attributes=source_key:a:2', [3]],
    ['attributes[title]=Fair&attributes[isFeatured]=true', [2]],
    ['attributes[title]=Fair&attributes=source_key:a:1', []],
    ['attributes[seats]=5', [1]],
    ['attributes[time.start]=10:00:00', [1, 2, 3]],
    ['attributes[id]=2', [2]],
    ['attributes[isFeatured]=false', [1, 3]],
    ['attributes[title]=fair', []],
    ["attributes[title]=x' OR '1'='1", []],
    ['sort=-date', [3, 2, 1]],
    ['sort=+title', [3, 2, 1]],
    ['sort=%2Btitle', [3, 2, 1]],
    ['sort=isFeatured,-date', [3, 1, 2]],
    ['sort=-id', [3, 2, 1]],
    ['unknown=1', [1, 2, 3]],
  ])('%s', async (query, expected) => {
    const { body } = await api.call('GET', `${events}?${query}`);
    const ids = body.data.map((event: Body) => event.id);
    expect(query.includes('sort') ? ids : ids.sort()).toEqual(expected);
    expect(body.totalItems).toBe(expected.length);
  });
});

describe('Statements', () => {
  const api = withSandbox();

  test('are kept, up to a number', async () => {
    const sortBy = (sort: string) => api.call('GET', `${accounts}?sort=${sort}`);
    await sortBy('lastName');
    using prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const directions = (number: number) =>
      [...number.toString(2).padStart(9, '0')].map((bit) => (bit === '1' ? '-a' : 'a'));
    for (let number = 0; number < 300; number += 1) await sortBy(directions(number).join());
    // The statement that counts is prepared again, too.
    expect(prepare).toHaveBeenCalledTimes(301);
    await sortBy(directions(299).join());
    expect(prepare).toHaveBeenCalledTimes(301);
    await sortBy(directions(0).join());
    expect(prepare).toHaveBeenCalledTimes(302);
  });
});

describe('Switches', () => {
  async function threePages(options: TestCmsOptions['switches'], use: (api: Caller) => Promise<void>) {
    const sandbox = await openSandbox({ memory: true, switches: options });
    const api = callerOf(sandbox);
    for (let number = 1; number <= 6; number += 1)
      await createEvent(api, { endDate: '2026-05-09', title: `${number}` });
    await use(api).finally(() => sandbox.close());
  }

  test('With lastPage empty, the last next link leads to an empty set', () =>
    threePages({ lastPage: 'empty' }, async (api) => {
      expect((await pages(api, '?limit=2')).map((page) => page.pagination.count)).toEqual([2, 2, 2, 0]);
    }));

  test('With lastPage error, a page beyond the last is a 404, but never the first page', () =>
    threePages({ lastPage: 'error' }, async (api) => {
      expect(await pages(api, '?limit=2')).toHaveLength(3);
      expect((await api.call('GET', `${events}?limit=2&page=4`)).status).toBe(404);
      expect((await api.call('GET', `${events}?instance=none`)).status).toBe(200);
    }));

  test.each([400, 422] as const)(
    'With overLimit, a limit above the largest one gets a %i, and no limit the default',
    (overLimit) =>
      threePages({ maxLimit: 4, overLimit }, async (api) => {
        const refused = await api.call('GET', `${events}?limit=5`);
        expect([refused.status, refused.body.errors[0].detail]).toEqual([
          overLimit,
          'Query parameter limit must be at most 4.',
        ]);
        for (const query of ['?limit=4', '']) {
          expect((await api.call('GET', `${events}${query}`)).body.pagination.perPage).toBe(4);
        }
      }),
  );

  test('Switches can ignore filters, shorten links, lower the limit, and filter days by their start', () =>
    threePages(
      { attributesFilter: 'ignored', search: 'ignored', links: 'bare', maxLimit: 4, dateFilter: 'starts' },
      async (api) => {
        const { body } = await api.call('GET', `${events}?attributes[title]=1&search=1&limit=50`);
        expect(body.totalItems).toBe(6);
        expect(body.pagination).toMatchObject({ perPage: 4, links: { next: '?page=2&limit=4' } });
        expect((await api.call('GET', `${events}?startDate=2026-05-05`)).body.totalItems).toBe(0);
      },
    ));
});

describe('Accounts', () => {
  const api = withSandbox();
  beforeAll(async () => {
    for (const lastName of ['Curie', 'Noether', 'ada', 'Bohr']) {
      await api.call('POST', accounts, { lastName, email: `${lastName}@example.edu`, employee: { number: 7 } });
    }
  });

  test.each([
    ['sort=+lastName', ['ada', 'Bohr', 'Curie', 'Noether']],
    ['sort=-lastName&limit=2', ['Noether', 'Curie']],
    ['sort=-lastName&limit=2&page=2', ['Bohr', 'ada']],
    ['attributes[email]=Bohr@example.edu', ['Bohr']],
    ['attributes[employee.number]=7&sort=id', ['Curie', 'Noether', 'ada', 'Bohr']],
    ['search=curie&startDate=2026-01-01&endDate=2026-12-31&sort=id', ['Curie', 'Noether', 'ada', 'Bohr']],
  ])('%s', async (query, expected) => {
    const { body } = await api.call('GET', `${accounts}?${query}`);
    expect(body.data.map((account: Body) => account.lastName)).toEqual(expected);
    expect(body.data[0]).not.toHaveProperty('links');
  });
});
