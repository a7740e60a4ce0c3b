import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { serve } from '../../feed/server.ts';
import { items, readSynced } from './read-synced.ts';

type Answer = (query: URLSearchParams, response: ServerResponse) => unknown;

/** Reads a paged feed; an endless one fails. */
async function readPages(pages: string, answer: Answer) {
  const { url, seen } = await serve((request, response, before) => {
    if (before > 60) return response.destroy();
    const body = answer(new URL(request.url ?? '', 'http://x').searchParams, response);
    return response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const result = await readSynced(`url: "${url}/"\n  allowPrivateNetwork: true\n  pages: ${pages}`);
  return { ...result, requests: seen.length };
}

/** Two pages of 20 items and one of `rest`. */
const slice = (page: number, rest = 5) => items(40 + rest).slice((page - 1) * 20, page * 20);
const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 1);
const cursorOf = (query: URLSearchParams) => Number(query.get('cursor') ?? 1);
const refuse = (response: ServerResponse, status: number, body: object = {}) => {
  response.statusCode = status;
  return body;
};

const byNumber = '{ by: number, parameter: page }';
const byCursor = '{ by: cursor, path: next, parameter: cursor }';
const byLink = '{ by: link, path: next }';

describe('All pages are read if', () => {
  test.each<[what: string, pages: string, answer: Answer]>([
    [
      'an empty last page returns the cursor that it was asked with',
      byCursor,
      (query) => ({ items: slice(cursorOf(query)), next: String(Math.min(4, cursorOf(query) + 1)) }),
    ],
    [
      'a short last page returns the cursor that it was asked with',
      byCursor,
      (query) => ({ items: slice(cursorOf(query)), next: String(Math.min(3, cursorOf(query) + 1)) }),
    ],
    [
      'a full last page does, after as many items as announced',
      byCursor,
      (query) => ({ total: 60, items: slice(cursorOf(query), 20), next: String(Math.min(3, cursorOf(query) + 1)) }),
    ],
    [
      'a cursor stays beside a plain no',
      byCursor,
      (query) => ({ items: slice(cursorOf(query)), next: `${cursorOf(query) + 1}`, has_more: cursorOf(query) < 3 }),
    ],
    [
      'the last cursor is 0',
      byCursor,
      (query) => ({ items: slice(cursorOf(query)), next: cursorOf(query) % 3 && cursorOf(query) + 1 }),
    ],
    [
      'the last cursor is -1',
      byCursor,
      (query) => ({ items: slice(cursorOf(query)), next: cursorOf(query) < 3 ? cursorOf(query) + 1 : -1 }),
    ],
    [
      'pages in the middle are empty',
      byCursor,
      (query) => ({
        items: [2, 3].includes(cursorOf(query)) ? [] : slice(Math.max(1, cursorOf(query) - 2)),
        next: cursorOf(query) < 5 ? `${cursorOf(query) + 1}` : null,
      }),
    ],
    [
      'the last page is repeated after as many pages as announced',
      byNumber,
      (query) => ({ totalPages: 3, items: slice(Math.min(3, pageOf(query)), 20) }),
    ],
    ['the last page is repeated, and is short', byNumber, (query) => ({ items: slice(Math.min(3, pageOf(query))) })],
    [
      'the first page is repeated, and the last was short',
      byNumber,
      (query) => ({ items: slice(pageOf(query) > 3 ? 1 : pageOf(query)) }),
    ],
    [
      'the last page links to itself',
      byLink,
      (query) => ({ items: slice(pageOf(query)), next: `/?page=${Math.min(3, pageOf(query) + 1)}` }),
    ],
    [
      'the last page links to the first',
      byLink,
      (query) => ({ items: slice(pageOf(query)), next: `/?page=${(pageOf(query) % 3) + 1}` }),
    ],
    ['the only page links to itself', byLink, () => ({ items: items(45), next: '/' })],
    [
      'each page links on, and counts all',
      byLink,
      (query) => ({ total: 45, items: slice(pageOf(query)), next: `/?page=${pageOf(query) + 1}` }),
    ],
    [
      'the last link leads to a 404, after as many items as announced',
      byLink,
      (query, response) =>
        pageOf(query) > 3
          ? refuse(response, 404)
          : { total: 45, items: slice(pageOf(query)), next: `/?page=${pageOf(query) + 1}` },
    ],
    ['a full last page is followed by an empty one', byNumber, (query) => ({ items: slice(pageOf(query), 20) })],
    [
      'an empty last page counts no items',
      byNumber,
      (query) => ({ total: pageOf(query) > 3 ? 0 : 45, items: slice(pageOf(query)) }),
    ],
    [
      'an empty last page links on',
      byNumber,
      (query) => ({ items: slice(pageOf(query)), next: `/?page=${pageOf(query) + 1}` }),
    ],
    ...[404, 410, 416].map((status): [string, string, Answer] => [
      `a full last page is followed by a ${status}`,
      byNumber,
      (query, response) => (pageOf(query) > 3 ? refuse(response, status) : slice(pageOf(query), 20)),
    ]),
    [
      'a full last page is followed by a 400 as of WordPress',
      byNumber,
      (query, response) =>
        pageOf(query) > 3
          ? refuse(response, 400, {
              code: 'rest_post_invalid_page_number',
              message: 'The page number requested is larger than the number of pages available.',
            })
          : slice(pageOf(query), 20),
    ],
    [
      'a 400 follows as many pages as announced',
      byNumber,
      (query, response) => (pageOf(query) > 3 ? refuse(response, 400) : { pages: 3, items: slice(pageOf(query), 20) }),
    ],
    [
      'a 422 says that the page is out of range',
      byNumber,
      (query, response) =>
        pageOf(query) > 3 ? refuse(response, 422, { message: 'page: out of range' }) : slice(pageOf(query), 20),
    ],
    [
      'the total counts the page',
      byNumber,
      (query) => ({ total: slice(pageOf(query)).length, items: slice(pageOf(query)) }),
    ],
    [
      'the total counts what is left',
      byNumber,
      (query) => ({ total: Math.max(0, 45 - 20 * (pageOf(query) - 1)), items: slice(pageOf(query)) }),
    ],
    [
      'the total counts what follows',
      byNumber,
      (query) => ({ total: Math.max(0, 45 - 20 * pageOf(query)), items: slice(pageOf(query)) }),
    ],
    [
      'the server sends fewer items than the size',
      '{ by: number, parameter: page, size: 500 }',
      (query) => slice(pageOf(query)),
    ],
    [
      'the server says that it sends fewer',
      '{ by: number, parameter: page, size: 500 }',
      (query) => ({ per_page: 20, items: slice(pageOf(query)) }),
    ],
    [
      'the server announces more than the size shows',
      '{ by: number, parameter: page, size: 21 }',
      (query) => ({ hasMore: pageOf(query) < 3, items: slice(pageOf(query)) }),
    ],
    [
      'a range of items is a page',
      '{ by: offset, parameter: offset }',
      (query, response) => {
        const first = Number(query.get('offset') ?? 0);
        if (first >= 45) return refuse(response, 416);
        response.setHeader('content-range', `items ${first}-${Math.min(44, first + 19)}/45`);
        return refuse(response, 206, items(45).slice(first, first + 20));
      },
    ],
  ])('%s', async (what, pages, answer) => {
    const result = await readPages(pages, answer);
    expect(result).toMatchObject({ complete: true });
    const rest = /full last|as many pages|422|400 f/.test(what) ? 20 : 5;
    expect(result.ids).toEqual(items(40 + rest).map(({ id }) => String(id)));
    expect(result.requests).toBeLessThan(20);
  });
});

describe('A reading is incomplete if', () => {
  test.each<[what: string, pages: string, answer: Answer, reason: string]>([
    [
      'pages lead in a circle',
      byLink,
      (query) => ({ items: slice(pageOf(query), 20), next: `/?page=${pageOf(query) === 3 ? 2 : pageOf(query) + 1}` }),
      'page 4 repeats an earlier page',
    ],
    [
      'pages lead in a circle before the total',
      byLink,
      (query) => ({ total: 90, items: slice(pageOf(query)), next: `/?page=${(pageOf(query) % 3) + 1}` }),
      'page 4 repeats an earlier page',
    ],
    [
      'a full page links to itself',
      byLink,
      (query) => ({ items: slice(pageOf(query), 20), next: `/?page=${Math.min(2, pageOf(query) + 1)}` }),
      'repeats an earlier page',
    ],
    ['a cursor is ignored', byCursor, () => ({ items: slice(1), next: 'abc' }), 'page 2 repeats an earlier page'],
    ['a page number is ignored', byNumber, () => slice(1), 'page 2 repeats an earlier page'],
    [
      'a page number is ignored, and more pages are announced',
      byNumber,
      () => ({ totalPages: 3, items: slice(1) }),
      'repeats an earlier page',
    ],
    [
      'all pages are empty, and lead on',
      byCursor,
      (query) => ({ items: cursorOf(query) > 2 ? [] : slice(cursorOf(query)), next: `${cursorOf(query) + 1}` }),
      'the last 10 pages are empty, but each leads to a next one',
    ],
    [
      'an empty page says that more follows, but leads to itself',
      byCursor,
      (query) => ({ items: slice(cursorOf(query)), hasMore: true, next: `${Math.min(4, cursorOf(query) + 1)}` }),
      'page 5 repeats an earlier page',
    ],
    [
      'fewer items come than the total',
      byNumber,
      (query) => ({ total: 46, items: slice(pageOf(query)) }),
      'it declares 46 items, but has 45 (total: 46)',
    ],
    [
      'the last page still says that more follows',
      byCursor,
      (query) => ({
        items: slice(cursorOf(query)),
        hasMore: true,
        next: cursorOf(query) < 3 ? cursorOf(query) + 1 : null,
      }),
      'hasMore: true',
    ],
    [
      'an error is on the first of several pages',
      byNumber,
      (query) => ({ errors: pageOf(query) === 1 ? ['source B is down'] : [], items: slice(pageOf(query)) }),
      'errors.0: source B is down',
    ],
  ])('%s', async (_, pages, answer, reason) => {
    const result = await readPages(pages, answer);
    expect(result).toMatchObject({ complete: false, reason: expect.stringContaining(reason) });
    expect(new Set(result.ids).size).toBe(result.ids.length);
    expect(result.requests).toBeLessThan(20);
  });
});

describe('A page that is refused in the middle fails the reading', () => {
  test.each<[what: string, answer: Answer, message: string]>([
    [
      'by a window',
      (query, response) =>
        pageOf(query) > 2
          ? refuse(response, 400, { error: { reason: 'Result window is too large' } })
          : slice(pageOf(query)),
      'returned status 400: Result window is too large.',
    ],
    [
      'before the announced pages',
      (query, response) => (pageOf(query) > 2 ? refuse(response, 404) : { pages: 3, items: slice(pageOf(query)) }),
      'returned status 404.',
    ],
    [
      'by an error of the server',
      (query, response) => (pageOf(query) > 2 ? refuse(response, 501) : slice(pageOf(query))),
      'returned status 501.',
    ],
  ])('%s', async (_, answer, message) => {
    await expect(readPages(byNumber, answer)).rejects.toThrow(message);
  });
});
