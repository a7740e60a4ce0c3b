import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CmsError, type Failure } from '../../../src/cms/errors.ts';
import type { Page } from '../../../src/cms/items.ts';
import { allItems } from '../../../src/cms/pages.ts';
import type { ListQuery } from '../../../src/cms/query.ts';

interface Item {
  id: number;
}
type Pagination = NonNullable<Page<Item>['pagination']>;

const items = (from: number, count: number): Item[] => Array.from({ length: count }, (_, i) => ({ id: from + i }));
const fail = (failure: Failure): never => {
  throw new CmsError(failure, 'no such page', { method: 'GET' });
};

/** A list of 45 items, ids 1 to 45, in pages of `size`; `decorate` says how its pages describe themselves. */
function pagesOf(size: number, decorate: (page: number, pages: number) => Pagination | undefined, beyond?: Failure) {
  return (page: number): Page<Item> => {
    const data = items(1, 45).slice((page - 1) * size, page * size);
    if (data.length === 0 && beyond) fail(beyond);
    return { data, pagination: decorate(page, Math.ceil(45 / size)) };
  };
}

async function read(
  serve: (page: number, limit?: number) => Page<Item>,
  first: ListQuery = {},
  options: Parameters<typeof allItems>[2] = {},
) {
  const requests: ListQuery[] = [];
  const ids: number[] = [];
  const readPage = async (query: ListQuery) => {
    requests.push(query);
    if (requests.length > 50) throw new Error('endless');
    return serve(query.page ?? 1, query.limit);
  };
  for await (const { id } of allItems(readPage, first, options)) ids.push(id);
  return { ids, pages: requests.map(({ page }) => page), requests };
}

const all = items(1, 45).map(({ id }) => id);
const link = (page: number) => ({ next: `?page=${page}&limit=20` });

describe('Pages of a list', () => {
  test.each<[string, (page: number, pages: number) => Pagination | undefined, number[]]>([
    ['next links, none on the last page', (page, pages) => ({ links: page < pages ? link(page + 1) : {} }), [1, 2, 3]],
    [
      'next links on the last page too',
      (page, pages) => ({ totalPages: pages, links: link(page + 1) }),
      [1, 2, 3, 4, 5],
    ],
    ['no links, a count of pages', (_, totalPages) => ({ totalPages }), [1, 2, 3]],
    ['no links, a count of items', () => ({ total: 45, perPage: 20 }), [1, 2, 3]],
    ['no pagination at all', () => undefined, [1, 2, 3, 4]],
    [
      'links that have no page number',
      (page, pages) => ({ links: page < pages ? { next: '?cursor=x' } : {} }),
      [1, 2, 3],
    ],
    ['a last page that links to itself', (page, pages) => ({ links: link(Math.min(page + 1, pages)) }), [1, 2, 3]],
    ['a last page that links to the first', (page, pages) => ({ links: link(page < pages ? page + 1 : 1) }), [1, 2, 3]],
    [
      'links to another host',
      (page, pages) => ({ links: page < pages ? { next: `https://evil.example/?page=${page + 1}` } : {} }),
      [1, 2, 3],
    ],
    [
      'a count of items that is too small',
      (page, pages) => ({ total: page, totalPages: 1, links: page < pages ? link(page + 1) : {} }),
      [1, 2, 3],
    ],
  ])('A list is read completely with %s', async (_, decorate, pages) => {
    expect(await read(pagesOf(20, decorate))).toMatchObject({ ids: all, pages });
  });

  test.each<Failure>(['notFound', 'badRequest'])(
    'A list is read completely if the CMS refuses a page beyond the last: %s',
    async (failure) => {
      expect((await read(pagesOf(20, () => undefined, failure))).ids).toEqual(all);
    },
  );

  test('A list is read completely if the CMS repeats the last page beyond the end', async () => {
    const serve = pagesOf(20, () => undefined);
    expect((await read((page) => serve(Math.min(page, 3)))).ids).toEqual(all);
  });

  test('A list is read completely if the CMS ignores the page number', async () => {
    const { ids, pages } = await read(() => ({ data: items(1, 20), pagination: { totalPages: 1000 } }));
    expect(ids).toEqual(all.slice(0, 20));
    expect(pages).toEqual([1, 2, 3]);
  });

  test('A list without items is read completely', async () => {
    expect(await read(() => ({ data: [] }))).toMatchObject({ ids: [], pages: [1] });
  });

  test('A list is read completely if a whole page of items is inserted before the current one', async () => {
    const { ids } = await read((page) => {
      const moved = page === 1 ? all : [...items(100, 20).map(({ id }) => id), ...all];
      const data = moved.slice((page - 1) * 20, page * 20).map((id) => ({ id }));
      return { data, pagination: { totalPages: Math.ceil(moved.length / 20) } };
    });
    expect(ids).toEqual(all);
  });

  test('A CMS that caps the limit but counts pages by the requested limit loses no item', async () => {
    const serve = (page: number, limit = 20) => {
      const data = items(1, 45).slice((page - 1) * limit, (page - 1) * limit + Math.min(limit, 10));
      return { data, pagination: { perPage: 10, totalPages: 5 } };
    };
    expect((await read(serve, { limit: 100 })).ids).toEqual(all);
  });

  test('A list starts at the requested page and keeps the other parameters', async () => {
    const { ids, requests } = await read(
      pagesOf(20, () => undefined),
      { page: 2, limit: 20, sort: '+id' },
    );
    expect(ids).toEqual(all.slice(20));
    expect(requests[1]).toEqual({ page: 3, limit: 20, sort: '+id' });
  });
});

describe('An incomplete list', () => {
  test.each<Failure>(['notFound', 'badRequest'])('fails if the first page is refused: %s', async (failure) => {
    await expect(read(() => fail(failure))).rejects.toThrow('no such page');
  });

  test('fails if a later page fails', async () => {
    const serve = pagesOf(20, () => undefined);
    await expect(read((page) => (page === 2 ? fail('server') : serve(page)))).rejects.toThrow('no such page');
  });

  test.each<[Failure, string]>([
    ['badRequest', 'no such page'],
    ['notFound', 'The CMS counts a page 3 of a list, but refuses it.'],
  ])('fails if a page within the count is refused: %s', async (failure, message) => {
    const serve = pagesOf(20, (_, totalPages) => ({ totalPages }));
    await expect(read((page) => (page === 3 ? fail(failure) : serve(page)))).rejects.toThrow(message);
  });

  test('fails if a page within the count stays empty', async () => {
    const serve = pagesOf(20, (_, totalPages) => ({ totalPages }));
    const empty = (page: number) => ({ data: page === 2 ? [] : serve(page).data, pagination: { totalPages: 3 } });
    await expect(read(empty)).rejects.toMatchObject({ code: 'FF_CMS_RESPONSE', kind: 'retryable' });
  });

  test('ends if the caller accepts it, and the CMS counts items that it does not show', async () => {
    const pages = [{ data: items(1, 20), pagination: { totalPages: 3, total: 45 } }, { data: [] }, { data: [] }];
    const list = allItems(async ({ page = 1 }) => pages[page - 1] ?? { data: [] }, {}, { acceptsHidden: true });
    const results = [];
    for (let next = await list.next(); ; next = await list.next()) {
      results.push(next.value);
      if (next.done) break;
    }
    expect(results).toEqual([...items(1, 20), 45]);
  });

  test('is not complete if it is empty when it is read again', async () => {
    const whole = pagesOf(20, () => ({ total: 45, perPage: 20 }));
    let requests = 0;
    const readPage = async ({ page = 1 }: ListQuery): Promise<Page<Item>> => {
      requests += 1;
      return requests < 3 ? whole(page) : { data: [], pagination: { total: 0, perPage: 20 } };
    };
    const list = allItems(readPage, {}, { acceptsHidden: true });
    let next = await list.next();
    while (!next.done) next = await list.next();
    expect(next.value).toBe(45);
    requests = 0;
    await expect(Array.fromAsync(allItems(readPage, {}))).rejects.toThrow(
      'The CMS counts a page 3 of a list, but it is empty.',
    );
  });

  test('is read again if a page within the count is missing once', async () => {
    let requests = 0;
    const serve = pagesOf(20, (_, totalPages) => ({ totalPages }));
    const { ids } = await read((page) => {
      requests += 1;
      return requests === 2 ? fail('notFound') : serve(page);
    });
    expect(ids).toEqual(all);
  });
});

test('Reading ends and returns no id twice for any pages', async () => {
  const page = fc.record({
    data: fc.array(fc.record({ id: fc.integer({ min: 1, max: 30 }) }), { maxLength: 5 }),
    pagination: fc.option(
      fc.record(
        {
          totalPages: fc.integer({ min: -1, max: 1e9 }),
          perPage: fc.integer({ min: -1, max: 5 }),
          total: fc.integer({ min: -1, max: 1e9 }),
          links: fc.record(
            {
              next: fc.oneof(
                fc.string(),
                fc.integer().map((n) => `?page=${n}`),
              ),
            },
            { requiredKeys: [] },
          ),
        },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(page), async (stream) => {
      let requests = 0;
      const seen: number[] = [];
      const readPage = async (): Promise<Page<Item>> => {
        requests += 1;
        return stream.next().value as Page<Item>;
      };
      const reading = async () => {
        for await (const { id } of allItems(readPage, {})) seen.push(id);
      };
      // It may fail, because a counted page is empty.
      await reading().catch((error) => expect(error).toBeInstanceOf(CmsError));
      expect(new Set(seen).size).toBe(seen.length);
      expect(requests).toBeLessThanOrEqual(2 * 30 + 2);
    }),
  );
});

describe('Lists that change during reading', () => {
  /** Pages of 20 of a list of which `change` makes another one before each request. */
  function changing(change: (ids: number[], request: number) => number[]) {
    let ids = all;
    let request = 0;
    return (page: number): Page<Item> => {
      request += 1;
      ids = change(ids, request);
      const data = ids.slice((page - 1) * 20, page * 20).map((id) => ({ id }));
      return { data, pagination: { total: ids.length, perPage: 20, totalPages: Math.ceil(ids.length / 20) } };
    };
  }

  test('A list is read again after deletions, because items may have moved to an earlier page', async () => {
    const { ids, pages } = await read(changing((now, request) => (request === 2 ? now.slice(5) : now)));
    expect(ids.sort((one, other) => one - other)).toEqual(all);
    expect(pages).toEqual([1, 2, 1, 2]);
  });

  test('A list that proves an absence is read until nothing new is shown: a new item may stand in for one that moved', async () => {
    const replaced = () => changing((now, request) => (request === 2 ? [...now.slice(1), 46] : now));
    expect((await read(replaced())).ids).not.toContain(21);
    const { ids, pages } = await read(replaced(), {}, { isProof: true });
    expect(ids.sort((one, other) => one - other)).toEqual([...all, 46]);
    expect(pages).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    const unchanged = await read(
      changing((now) => now),
      {},
      { isProof: true },
    );
    expect(unchanged.pages).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('A list proves no absence if it is empty when it is read again', async () => {
    const emptied = changing((now, request) => (request > 3 ? [] : now));
    await expect(read(emptied, {}, { isProof: true })).rejects.toMatchObject({
      code: 'FF_CMS_RESPONSE',
      kind: 'retryable',
    });
  });

  test('A list proves no absence if items are deleted and created each time it is read', async () => {
    const replacing = changing((now, request) => [...now.slice(1), 45 + request]);
    const reading = read(replacing, {}, { isProof: true });
    await expect(reading).rejects.toThrow('The items of a list changed each time it was read');
  });

  test('A list to which items are added all the time proves an absence', async () => {
    const growing = changing((now, request) => [...now, 45 + request]);
    expect((await read(growing, {}, { isProof: true })).ids).toEqual(expect.arrayContaining(all));
  });

  test('A list is read once if items were added, and a limited number of times if it keeps shrinking', async () => {
    const grown = await read(changing((now, request) => (request === 2 ? [...now, 46] : now)));
    expect(grown).toMatchObject({ ids: [...all, 46], pages: [1, 2, 3] });
    const shrinking = await read(changing((now) => now.slice(1)));
    expect(shrinking.pages.length).toBeLessThanOrEqual(9);
  });

  test('An empty page beyond the end without counts is no change', async () => {
    const serve = (page: number): Page<Item> => {
      const data = items(1, 45).slice((page - 1) * 20, page * 20);
      return { data, pagination: { total: data.length === 0 ? 0 : 45, links: link(page + 1) } };
    };
    expect((await read(serve)).ids).toEqual(all);
    expect((await read(serve)).pages.filter((page) => page === 1)).toHaveLength(1);
  });
});
