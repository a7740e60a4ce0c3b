import { describe, expect, test } from 'vitest';
import { json } from '../../../connectors/json/json.ts';
import { readFeed } from './read-feed.ts';

const read = (first: object, pages: object, further: Record<string, string>) =>
  readFeed(json, JSON.stringify(first), { options: { items: 'items', pages }, pages: further });

const ids = (result: Awaited<ReturnType<typeof readFeed>>) => result.records.map(({ fields }) => fields.id);

const page = (...items: unknown[]) => JSON.stringify({ items });

describe('Pages', () => {
  test('are followed by the link in the document, and places name their page', async () => {
    const result = await read(
      { links: { next: 'p2' }, items: [{ id: 1 }] },
      { by: 'link', path: 'links.next' },
      {
        p2: JSON.stringify({ items: [{ id: 2 }, 7], links: { next: 'p3' } }),
        p3: '{"items":[{"id":3}],"links":{"next":null}}',
      },
    );
    expect(result.records).toEqual([
      { at: '$.items[0]', fields: { id: 1 } },
      { at: 'page 2, $.items[0]', fields: { id: 2 } },
      { at: 'page 3, $.items[0]', fields: { id: 3 } },
    ]);
    expect(result.rejections).toMatchObject([{ at: 'page 2, $.items[1]' }]);
    expect(result.incomplete).toEqual([]);
    expect(result.feed.receipt()).toMatchObject({ complete: true });
  });

  test('are followed by a cursor', async () => {
    const result = await read(
      { items: [{ id: 1 }], meta: { cursor: 'a b' } },
      { by: 'cursor', path: '$.meta.cursor', parameter: 'after' },
      { 'after=a+b': '{"meta":{"cursor":""},"items":[{"id":2}]}' },
    );
    expect(ids(result)).toEqual([1, 2]);
  });

  test('are followed by number, until an empty page', async () => {
    const further = { 'page=2': page({ id: 2 }), 'page=3': page() };
    expect(ids(await read({ items: [{ id: 1 }] }, { by: 'number', parameter: 'page' }, further))).toEqual([1, 2]);
  });

  test('are followed until a list that is null', async () => {
    const further = { 'page=2': '{"items":null}' };
    const result = await read({ items: [{ id: 1 }] }, { by: 'number', parameter: 'page' }, further);
    expect([ids(result), result.error, result.incomplete]).toEqual([[1], undefined, []]);
    const options = { options: { items: 'items', pages: { by: 'number', parameter: 'page' } } };
    expect((await readFeed(json, '{"items":null}', options)).error?.code).toBe('FF_FEED_FORMAT');
  });

  test('are followed by number, until a page that is not full', async () => {
    const options = { by: 'number', parameter: 'p', first: 0, size: 2 };
    const result = await read({ items: [{ id: 1 }, { id: 2 }] }, options, { 'p=1': page({ id: 3 }) });
    expect(ids(result)).toEqual([1, 2, 3]);
    expect(result.error).toBeUndefined();
  });

  test('are followed by offset', async () => {
    const further = { 'offset=2': page({ id: 3 }), 'offset=3': page() };
    const result = await read({ items: [{ id: 1 }, { id: 2 }] }, { by: 'offset', parameter: 'offset' }, further);
    expect(ids(result)).toEqual([1, 2, 3]);
  });
});

describe('The read of pages is incomplete after', () => {
  test('a link back to a page', async () => {
    const result = await read(
      { next: 'p2', items: [{ id: 1 }] },
      { by: 'link', path: 'next' },
      { p2: '{"next":"p2","items":[{"id":2}]}' },
    );
    expect(ids(result)).toEqual([1, 2]);
    expect(result.incomplete).toEqual(['page 3 repeats an earlier page']);
  });

  test('a server that ignores the page number', async () => {
    const result = await read(
      { items: [{ id: 1 }] },
      { by: 'number', parameter: 'page' },
      { 'page=2': page({ id: 1 }) },
    );
    expect(ids(result)).toEqual([1]);
    expect(result.incomplete).toEqual(['page 2 repeats an earlier page']);
  });

  test('more pages than allowed', async () => {
    const options = { by: 'number', parameter: 'page', max: 2 };
    const result = await read({ items: [{ id: 1 }] }, options, { 'page=2': page({ id: 2 }) });
    expect(ids(result)).toEqual([1, 2]);
    expect(result.incomplete).toEqual(['there are more than 2 pages (source.pages.max)']);
  });

  test('a page that is cut off', async () => {
    const options = { by: 'number', parameter: 'page' };
    const result = await read({ items: [{ id: 1 }] }, options, { 'page=2': '{"items":[{"id":2},{"id"' });
    expect(ids(result)).toEqual([1, 2]);
    expect(result.incomplete).toHaveLength(1);
  });
});

test('A page that cannot be read, or has no list, refuses the feed', async () => {
  const options = { by: 'number', parameter: 'page' };
  expect((await read({ items: [{ id: 1 }] }, options, {})).error?.code).toBe('FF_FEED_MISSING');
  const wrong = await read({ items: [{ id: 1 }] }, options, { 'page=2': '{"error":"busy"}' });
  expect(wrong.error?.message).toContain('does not have a list at $.items: it has "error"');
});

test.each([
  [{ by: 'link', path: '$[?(@.next)]' }],
  [{ by: 'cursor', parameter: 'after' }],
  [{ by: 'magic' }],
  [{ by: 'number', parameter: 'page', max: 0 }],
])('The options refuse the pages %j', (pages) => {
  expect(json.options.safeParse({ pages }).success).toBe(false);
});
