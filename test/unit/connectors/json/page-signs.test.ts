import { describe, expect, test } from 'vitest';
import { serve } from '../../feed/server.ts';
import { items, readAnswer, readSynced } from './read-synced.ts';

const list = items(33);

describe('An answer of 33 of 40 records is incomplete, and the reason names the sign', () => {
  test.each<[style: string, body: unknown, sign: string]>([
    ['Google', { items: list, nextPageToken: 'abc' }, 'nextPageToken: abc'],
    ['OData 4', { value: list, '@odata.nextLink': '/?$skiptoken=33' }, '@odata.nextLink: /?$skiptoken=33'],
    ['OData 4 count', { value: list, '@odata.count': 40 }, 'it declares 40 items, but has 33 (@odata.count: 40)'],
    ['OData 3', { value: list, 'odata.nextLink': 'x?$skiptoken=33' }, 'odata.nextLink'],
    ['OData 2', { d: { results: list, __next: 'https://x/?$skiptoken=33' } }, 'd.__next'],
    ['OData 2 count', { d: { results: list, __count: '40' } }, 'it declares 40 items, but has 33 (d.__count: 40)'],
    ['GraphQL', { data: { e: { nodes: list, pageInfo: { hasNextPage: true, endCursor: 'c' } } } }, 'hasNextPage: true'],
    [
      'GraphQL at depth',
      { data: { a: { b: { e: { nodes: list, pageInfo: { hasNextPage: true } } } } } },
      'hasNextPage: true',
    ],
    ['Stripe', { data: list, has_more: true }, 'has_more: true'],
    ['has more as text', { data: list, hasMore: 'true' }, 'hasMore: true'],
    ['JSON:API', { data: list, links: { next: 'https://x/2' } }, 'links.next: https://x/2'],
    ['HAL and Drupal', { data: list, links: { next: { href: 'https://x/2' } } }, 'links.next.href: https://x/2'],
    ['Spring', { content: list, last: false }, 'last: false'],
    [
      'Spring pages',
      { _embedded: { e: list }, page: { totalPages: 2, totalElements: 40 } },
      '(page.totalElements: 40)',
    ],
    ['Facebook', { data: list, paging: { cursors: { after: 'x' }, next: 'https://x/2' } }, 'paging.next: https://x/2'],
    ['HubSpot', { results: list, paging: { next: { after: '33' } } }, 'paging.next.after: 33'],
    ['Slack', { ok: true, events: list, response_metadata: { next_cursor: 'dXNlcg==' } }, 'next_cursor: dXNlcg=='],
    ['Solr', { response: { numFound: 40, start: 0, docs: list } }, '(response.numFound: 40)'],
    [
      'Elasticsearch',
      { _shards: { total: 33, failed: 0 }, hits: { total: { value: 40 }, hits: list } },
      '(hits.total.value: 40)',
    ],
    ['Algolia', { hits: list, nbHits: 40, nbPages: 2, page: 0 }, '(nbHits: 40)'],
    ['Algolia, estimated', { hits: list, exhaustiveNbHits: false }, 'exhaustiveNbHits: false'],
    ['Hydra', { 'hydra:member': list, 'hydra:view': { 'hydra:next': '/2' } }, 'hydra:view.hydra:next: /2'],
    ['Hydra total', { member: list, totalItems: 40 }, '(totalItems: 40)'],
    ['pagination', { events: list, pagination: { next_page: 2 } }, 'pagination.next_page: 2'],
    ['meta.pagination', { events: list, meta: { pagination: { total: 40 } } }, '(meta.pagination.total: 40)'],
    ['more', { events: list, more: true }, 'more: true'],
    ['a cursor', { events: list, cursor: 'abc' }, 'cursor: abc'],
    ['Reddit', { data: { after: 't3_x', children: list } }, 'data.after: t3_x'],
    ['DynamoDB', { Items: list, LastEvaluatedKey: { id: { S: '33' } } }, 'LastEvaluatedKey.id.S: 33'],
    [
      'MediaWiki',
      { continue: { gcmcontinue: 'x', continue: '-||' }, query: { pages: list } },
      'continue.gcmcontinue: x',
    ],
    ['Twitter', { data: list, meta: { result_count: 33, next_token: 'b26v' } }, 'meta.next_token: b26v'],
    ['Azure', { value: list, continuationToken: 'x' }, 'continuationToken: x'],
    ['Salesforce', { records: list, done: false }, 'done: false'],
    ['GitHub search', { items: list, incomplete_results: true }, 'incomplete_results: true'],
    ['AWS', { items: list, IsTruncated: 'true' }, 'IsTruncated: true'],
    ['ArcGIS', { features: list, exceededTransferLimit: true }, 'exceededTransferLimit: true'],
    ['Zendesk', { events: list, end_of_stream: false }, 'end_of_stream: false'],
    ['Plone', { items: list, items_total: 40, batching: { next: 'https://x/2' } }, '(items_total: 40)'],
    ['Dynamics', { value: list, '@Microsoft.Dynamics.CRM.morerecords': true }, 'CRM.morerecords: true'],
    ['Kubernetes', { metadata: { continue: 'eyJ2', remainingItemCount: 7 }, items: list }, 'remainingItemCount: 7'],
    ['DataTables', { data: list, recordsTotal: 40 }, '(recordsTotal: 40)'],
    ['limits on requests', { rateLimit: { limit: 5000, total: 5000 }, events: list, total: 40 }, '(total: 40)'],
  ])('in the body: %s', async (_, body, sign) => {
    const { complete, reason } = await readAnswer(body);
    expect(complete).toBe(false);
    expect(reason).toContain(sign);
  });

  test('in the body: FHIR', async () => {
    const body = { entry: list, link: [{ relation: 'next', url: 'x' }] };
    const { reason } = await readAnswer(body, { source: '\n  items: entry' });
    expect(reason).toContain('link.0.relation: next');
  });

  const pagination = JSON.stringify({ TotalCount: 40, PageSize: 33, CurrentPage: 1, TotalPages: 2, HasNext: true });
  const headerSigns: Array<[style: string, headers: Record<string, string | string[]>, sign: string, status?: number]> =
    [
      ['Link', { link: '</2>; anchor="a\\"b"; rel="next"' }, 'Link header with rel="next"'],
      ['several Link fields', { link: ['</1>; rel="prev"', '</3>; rel="next"'] }, 'Link header with rel="next"'],
      ['ASP.NET', { 'x-pagination': pagination }, 'header x-pagination, '],
      ['ASP.NET without a total', { 'x-pagination': '{"hasNext":true}' }, 'header x-pagination, hasNext: true'],
      ['total', { 'x-total-count': '40' }, '(header x-total-count: 40)'],
      ['WordPress', { 'x-wp-total': '40', 'x-wp-totalpages': '2' }, '(header x-wp-total: 40)'],
      ['GitLab', { 'x-total': '40', 'x-page': '1' }, '(header x-total: 40)'],
      ['GitLab, large', { 'x-page': '1', 'x-per-page': '33', 'x-next-page': '2' }, 'header x-next-page: 2'],
      ['Content-Range', { 'content-range': 'items 0-32/40' }, '(header content-range: items 0-32/40)', 206],
      ['PostgREST', { 'content-range': '0-32/40' }, '(header content-range: 0-32/40)'],
      ['206', {}, 'status 206', 206],
      ['has more', { 'x-has-more': 'true' }, 'header x-has-more: true'],
      ['Cosmos DB', { 'x-ms-continuation': '{"token":"x"}' }, 'header x-ms-continuation: {"token":"x"}'],
      ['Azure Tables', { 'x-ms-continuation-NextPartitionKey': 'p' }, 'header x-ms-continuation-nextpartitionkey: p'],
      ['cursor', { 'x-next-cursor': 'abc' }, 'header x-next-cursor: abc'],
      [
        'Pagination-Count',
        { 'pagination-count': '40', 'pagination-page': '1', 'pagination-limit': '33' },
        '(header pagination-count: 40)',
      ],
      ['Yii', { 'x-pagination-total-count': '40' }, '(header x-pagination-total-count: 40)'],
      ['truncated', { 'x-truncated': 'true' }, 'header x-truncated: true'],
    ];

  test.each(headerSigns)('in a header: %s', async (_, headers, sign, status) => {
    const { complete, reason } = await readAnswer({ events: list }, { headers, status });
    expect(complete).toBe(false);
    expect(reason).toContain(sign);
  });

  test.each(headerSigns)('in a header of CSV: %s', async (_, headers, sign, status) => {
    const csv = `id\n${list.map(({ id }) => id).join('\n')}\n`;
    const framed = { ...headers, 'content-length': String(csv.length) };
    const { complete, reason } = await readAnswer(csv, { headers: framed, status, connector: 'csv' });
    expect(complete).toBe(false);
    expect(reason).toContain(sign);
  });

  test('in JSON-LD', async () => {
    const member = [{ '@type': 'Event', '@id': 'x', name: 'Talk', startDate: '2027-03-01' }];
    for (const more of [
      { 'hydra:totalItems': 40 },
      { 'hydra:view': { '@id': '/1', 'hydra:next': '/2' } },
      { numberOfItems: 40 },
    ]) {
      const { complete } = await readAnswer(
        { '@type': 'Collection', ...more, 'hydra:member': member },
        { connector: 'jsonld' },
      );
      expect(complete, JSON.stringify(more)).toBe(false);
    }
  });
});

describe('A whole answer stays complete', () => {
  test.each<[style: string, body: unknown]>([
    ['a plain no beside a cursor', { data: items(100), has_more: false, next_cursor: 'abc', cursor: 'abc' }],
    ['GraphQL', { data: { e: { nodes: list, pageInfo: { hasNextPage: false, endCursor: 'c' } } } }],
    ['Zendesk', { events: list, meta: { has_more: false, after_cursor: 'x' }, links: { next: 'https://x/2' } }],
    ['Facebook', { data: list, paging: { cursors: { before: 'a', after: 'b' } } }],
    ['a next page 0 or -1', { data: items(100), next: 0, nextCursor: -1 }],
    ['a total of shards', { _shards: { total: 500, failed: 0 }, hits: { total: 33, hits: list } }],
    ['limits on requests', { rateLimit: { limit: 33, total: 5000 }, events: list }],
    ['Google Calendar', { items: list, nextSyncToken: 'x' }],
    ['OData delta', { value: items(100), '@odata.count': 100, '@odata.deltaLink': '/delta' }],
    ['Salesforce', { records: list, done: true, totalSize: 33 }],
  ])('with a body of %s', async (_, body) => {
    expect(await readAnswer(body)).toMatchObject({ complete: true });
  });

  test.each<[style: string, headers: Record<string, string>, status?: number]>([
    ['Link to other pages', { link: '</1>; title="</2>; rel=next"; rel=prev, </1>; rel="first nextish"' }],
    ['ASP.NET', { 'x-pagination': JSON.stringify({ TotalCount: 33, TotalPages: 1, HasNext: false }) }],
    ['ASP.NET, not JSON', { 'x-pagination': 'none' }],
    ['WordPress', { 'x-wp-total': '33', 'x-wp-totalpages': '1' }],
    ['GitLab', { 'x-total': '33', 'x-next-page': '', 'x-total-pages': '1' }],
    ['Content-Range', { 'content-range': 'items 0-32/33' }, 206],
    ['PostgREST', { 'content-range': '0-32/*' }],
    ['limits on requests', { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' }],
  ])('with headers of %s', async (_, headers, status) => {
    expect(await readAnswer({ events: list }, { headers, status })).toMatchObject({ complete: true });
  });
});

test('The pages of a GraphQL query are read with the line of the reason, which sends the cursor in the body', async () => {
  const { url, seen } = await serve((_, response) => {
    const after = JSON.parse(seen.at(-1)?.body ?? '{}').variables?.after;
    const pageInfo = { hasNextPage: after === undefined, endCursor: 'c33' };
    response.end(JSON.stringify({ data: { people: { nodes: after === undefined ? list : items(7, 33), pageInfo } } }));
  });
  const source = `url: "${url}/"\n  allowPrivateNetwork: true\n  body: { query: "{ people }", variables: { first: 33 } }`;
  const line = 'pages: { by: cursor, path: data.people.pageInfo.endCursor, parameter: variables.after, in: body }';
  expect((await readSynced(source)).reason).toContain(line);
  const all = await readSynced(`${source}\n  ${line}`);
  expect(all).toMatchObject({ complete: true });
  expect(all.ids).toHaveLength(40);
  expect(JSON.parse(seen.at(-1)?.body ?? '')).toEqual({ query: '{ people }', variables: { first: 33, after: 'c33' } });
});

test('A next link without a slash is an address', async () => {
  const { url } = await serve((request, response) => {
    const isFirst = !request.url?.includes('skip');
    response.end(
      JSON.stringify({ value: items(2, isFirst ? 0 : 2), ...(isFirst && { '@odata.nextLink': 'People?$skip=2' }) }),
    );
  });
  const source = `url: "${url}/People"\n  allowPrivateNetwork: true`;
  const line = `pages: { by: link, path: "$['@odata.nextLink']" }`;
  expect((await readSynced(source)).reason).toContain(line);
  expect((await readSynced(`${source}\n  ${line}`)).ids).toEqual(['1', '2', '3', '4']);
});

test('A next page on another host gets no credentials, and a warning says so', async () => {
  const { url, otherUrl, seen } = await serve((request, response) => {
    const isFirst = request.url === '/';
    response.end(JSON.stringify({ items: items(2, isFirst ? 0 : 2), next: isFirst ? `${otherUrl}/2` : null }));
  });
  const source = `url: "${url}/"\n  allowPrivateNetwork: true\n  auth: { bearer: t }\n  pages: { by: link, path: next }`;
  const { ids, warnings } = await readSynced(source);
  expect([ids, seen.map(({ headers }) => headers.authorization)]).toEqual([
    ['1', '2', '3', '4'],
    ['Bearer t', undefined],
  ]);
  const { host } = new URL(otherUrl);
  expect(warnings).toEqual([
    {
      at: 'page 2',
      message: `The page is on another host (${host}), which did not get the credentials, headers and query of source.`,
    },
  ]);
});

test.each([
  [{ 'x-next-page': '2' }, 'pages: { by: number, parameter: page }'],
  [{ 'x-next-cursor': 'abc' }, 'pages: { by: cursor, header: x-next-cursor, parameter: cursor }'],
  [
    { 'x-ms-continuationtoken': 'abc' },
    'pages: { by: cursor, header: x-ms-continuationtoken, parameter: continuationToken }',
  ],
])('For the headers %j, the reason has the line %s, which reads all pages', async (headers, line) => {
  const { url } = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const isFirst = !['page', 'cursor', 'continuationToken'].some((name) => searchParams.has(name));
    if (isFirst) for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(JSON.stringify(isFirst ? list : searchParams.get('page') === '3' ? [] : items(7, 33)));
  });
  const source = `url: "${url}/"\n  allowPrivateNetwork: true`;
  const { reason } = await readSynced(source);
  expect(reason).toContain(line);
  const all = await readSynced(`${source}\n  ${line}`);
  expect(all).toMatchObject({ complete: true });
  expect(all.ids).toHaveLength(40);
});
