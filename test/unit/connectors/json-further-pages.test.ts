import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../connectors/index.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { folderOf } from '../../support/folder.ts';
import { env, folder, target } from '../config/setup.ts';
import { serve } from '../feed/server.ts';

const LAST = 57;
const items = (count: number, from = 0) => Array.from({ length: count }, (_, index) => ({ id: from + index + 1 }));

/** Reads the feed of a sync file. */
async function read(source: string) {
  const text = `resource: accounts\nsource:\n  connector: json\n  ${source}\nkey: id\nmap: { firstName: id }\n`;
  const config = loadConfig(folder({ 'feedferry.yaml': target, 'syncs/a.yaml': text }), connectors, env);
  const [sync] = config.syncs;
  if (!sync) throw new Error('no sync');
  const reading = readSource(sync, config.target, { signal: new AbortController().signal });
  const ids: unknown[] = [];
  for await (const mapped of reading.records) ids.push(mapped.is === 'desired' ? mapped.record.key : mapped);
  return { ids, ...reading.receipt() };
}

type Answer = (query: URLSearchParams, from: (first: number) => string, response: ServerResponse) => unknown;

/** An API of 57 items, 20 a page. */
const serveItems = (answer: Answer) =>
  serve((request: IncomingMessage, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const from = (first: number) => (first + 20 < LAST ? String(first + 20) : '');
    response.end(JSON.stringify(answer(searchParams, from, response)));
  });

const pageOf = (query: URLSearchParams, name = 'page', first = 1) => (Number(query.get(name) ?? first) - first) * 20;
const slice = (first: number) => items(Math.max(0, Math.min(20, LAST - first)), first);

describe('A feed with further pages is incomplete, and the reason has the line that reads them all', () => {
  test.each<[sign: string, path: string, line: string, answer: Answer]>([
    [
      'total, pages and links.next',
      '/?all=1',
      'pages: { by: link, path: links.next }',
      (query, from) => {
        const first = pageOf(query, 'first', 0) / 20;
        const next = from(first) && `/?first=${from(first)}`;
        return { total: LAST, pages: 3, links: { next: next || null }, people: slice(first) };
      },
    ],
    [
      'count and next',
      '/',
      'pages: { by: link, path: next }',
      (query, from) => {
        const first = Number(query.get('offset'));
        return { count: LAST, next: from(first) ? `?offset=${from(first)}` : null, results: slice(first) };
      },
    ],
    [
      '@odata.nextLink',
      '/',
      `pages: { by: link, path: "$['@odata.nextLink']" }`,
      (query, from) => {
        const first = Number(query.get('$skip'));
        return { value: slice(first), ...(from(first) && { '@odata.nextLink': `/?$skip=${from(first)}` }) };
      },
    ],
    [
      'a Link header',
      '/',
      'pages: { by: link }',
      (query, from, response) => {
        const first = Number(query.get('from'));
        if (from(first)) response.setHeader('link', `</?from=${from(first)}>; rel="next"`);
        return slice(first);
      },
    ],
    [
      'a header with the total',
      '/?page=1',
      'pages: { by: number, parameter: page }',
      (query, _, response) => {
        response.setHeader('x-total-count', LAST);
        return slice(pageOf(query));
      },
    ],
    [
      'nextPageToken',
      '/',
      'pages: { by: cursor, path: nextPageToken, parameter: pageToken }',
      (query, from) => {
        const first = Number(query.get('pageToken')?.slice(1) ?? 0);
        return { items: slice(first), ...(from(first) && { nextPageToken: `t${from(first)}` }) };
      },
    ],
    [
      'a token named offset',
      '/',
      'pages: { by: cursor, path: offset, parameter: offset }',
      (query, from) => {
        const first = Number(query.get('offset')?.slice(3) ?? 0);
        return { records: slice(first), ...(from(first) && { offset: `itr${from(first)}` }) };
      },
    ],
    [
      'hasMore',
      '/?offset=0',
      'pages: { by: offset, parameter: offset }',
      (query) => {
        const first = Number(query.get('offset'));
        return { data: { events: slice(first) }, meta: { paging: { has_more: first + 20 < LAST } } };
      },
    ],
    [
      'exceededTransferLimit',
      '/?resultOffset=0',
      'pages: { by: offset, parameter: resultOffset }',
      (query) => {
        const first = Number(query.get('resultOffset'));
        return { features: slice(first), exceededTransferLimit: first + 20 < LAST };
      },
    ],
    [
      'pages that are counted from 0',
      '/',
      'pages: { by: number, parameter: page, first: 0 }',
      (query) => {
        const first = pageOf(query, 'page', 0);
        return { content: slice(first), pageable: { pageNumber: first / 20, offset: first }, last: first + 20 >= LAST };
      },
    ],
    [
      'GraphQL-like names at depth',
      '/',
      'pages: { by: cursor, path: data.events.pageInfo.nextCursor, parameter: cursor }',
      (query, from) => {
        const first = Number(query.get('cursor')?.slice(1) ?? 0);
        const pageInfo = { hasNextPage: from(first) !== '', nextCursor: from(first) && `c${from(first)}` };
        return { data: { events: { nodes: slice(first), pageInfo } } };
      },
    ],
    ['a list as long as a usual limit', '/', 'pages: { by: number, parameter: page }', (query) => slice(pageOf(query))],
    [
      'a list as long as the limit in the address',
      '/?page%5Bnumber%5D=1&page[limit]=19',
      'pages: { by: number, parameter: "page[number]" }',
      (query) =>
        items(
          Math.min(19, Math.max(0, LAST - 19 * (Number(query.get('page[number]')) - 1))),
          19 * (Number(query.get('page[number]')) - 1),
        ),
    ],
  ])('%s', async (_, path, line, answer) => {
    const { url } = await serveItems(answer);
    const source = `url: "${url}${path}"\n  allowPrivateNetwork: true`;
    const one = await read(source);
    expect(one).toMatchObject({ complete: false, reason: expect.stringContaining(line) });
    expect(one.reason?.endsWith(line)).toBe(true);
    expect(one.ids.length).toBeLessThan(21);
    const all = await read(`${source}\n  ${line}`);
    expect(all).toMatchObject({ complete: true });
    expect(all.ids).toEqual(items(LAST).map(({ id }) => String(id)));
  });
});

describe('A list of exactly 100 items', () => {
  const json = (more: object, count = 100) => JSON.stringify({ ...more, items: items(count) });

  test.each([
    ['is a full page on the network', {}, 'ignoreSigns: [fullPage]'],
    ['is a full page if the document has the limit', { limit: 100 }, 'exactly 100 items'],
    ['is whole if that is the total', { total: 100 }, undefined],
    ['is whole if that is the total of the pages', { pagination: { total: 100, limit: 100 } }, undefined],
    ['is whole if nothing follows', { next: null }, undefined],
    ['is whole if there is only one page', { meta: { pages: 1 } }, undefined],
    ['is whole if there is no more', { has_more: false }, undefined],
    ['is whole if the last page is this one', { links: { first: '/', last: '/', prev: null } }, undefined],
    ['is whole if the limit is higher', { limit: 250 }, undefined],
  ])('%s', async (_, more, reason) => {
    const { url } = await serve((_request, response) => response.end(json(more)));
    const result = await read(`url: "${url}"\n  allowPrivateNetwork: true`);
    expect(result).toMatchObject({ complete: reason === undefined });
    if (reason) expect(result.reason).toContain(reason);
    const ignored = await read(`url: "${url}"\n  allowPrivateNetwork: true\n  ignoreSigns: [fullPage]`);
    expect(ignored).toMatchObject({ complete: true });
  });

  test.each([
    ['is whole in a file', {}, undefined],
    ['is a full page in a file that speaks of pages', { page: 1 }, 'exactly 100 items'],
  ])('%s', async (_, more, reason) => {
    const file = join(folderOf({ 'a.json': json(more) }), 'a.json');
    const result = await read(`url: ${file}`);
    expect(result.complete).toBe(reason === undefined);
    if (reason) expect(result.reason).toContain(reason);
    // A file has no parameters for its pages.
    expect(String(result.reason)).not.toContain('pages: {');
  });

  test('is a full page if fewer than the configured size were sent', async () => {
    const { url } = await serve((_request, response) => response.end(json({})));
    const result = await read(
      `url: "${url}"\n  allowPrivateNetwork: true\n  pages: { by: number, parameter: page, size: 500 }`,
    );
    expect(result).toMatchObject({ complete: false, reason: expect.stringContaining('exactly 100 items') });
  });
});

test.each([
  ['a length of 99', items(99)],
  ['an empty list', []],
  ['names inside other data', { facets: { museum: { count: 5000 } }, items: items(7) }],
  ['a count of fewer', { count: 3, items: items(7) }],
  ['people named like pages', { owner: { first: 'Ann', last: 'Lee', next: false }, items: items(7) }],
])('%s is no sign of further pages', async (_, document) => {
  const { url } = await serve((_request, response) => response.end(JSON.stringify(document)));
  expect(await read(`url: "${url}"\n  allowPrivateNetwork: true`)).toMatchObject({ complete: true });
});

test.each([
  [{ items: items(7), hits: { total: { value: 57, relation: 'eq' } } }, 'it declares 57 items, but has 7'],
  [{ items: items(7), numberMatched: 57 }, 'it declares 57 items, but has 7'],
  [{ result: { count: 57, results: items(7) } }, 'it declares 57 items, but has 7'],
  [{ items: items(7), done: false }, 'it announces more items (done: false)'],
  [{ items: items(7), next: true }, 'it announces more items (next: true)'],
  [{ items: items(7), isLastPage: false }, 'it announces more items (isLastPage: false)'],
  [{ items: items(7), links: [{ rel: 'next', href: '/2' }] }, 'it announces more items (links.0.rel: next)'],
  [{ items: items(7), page: { current: 1, size: 7, total: 3 } }, 'it has exactly 7 items'],
])('A file with %j is incomplete', async (document, reason) => {
  const file = join(folderOf({ 'a.json': JSON.stringify(document) }), 'a.json');
  const path = 'items' in document ? '\n  items: items' : '';
  expect(await read(`url: ${file}${path}`)).toMatchObject({ complete: false, reason: expect.stringContaining(reason) });
});
