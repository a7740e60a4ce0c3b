import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CmsClient, createCmsClient } from '../../../src/cms/client.ts';
import { callerOf, createEvent, openSandbox } from '../sandbox/harness.ts';
import { type HostileServer, sendJson, startHostileServer } from './hostile-server.ts';

let server: HostileServer;
const clients: CmsClient[] = [];

beforeAll(async () => {
  server = await startHostileServer();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => server.close());

function connect(target: { url: string; token?: string } = server): CmsClient {
  const client = createCmsClient({ baseUrl: target.url, token: target.token ?? 't' });
  clients.push(client);
  return client;
}

/** Reads a list of events to its end. */
async function idsOf(client: CmsClient, query: object = {}): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of client.events().list(query)) ids.push(id);
  return ids;
}

test('A list never leaves the host of the base URL', async () => {
  server.behave((response, { attempt }) =>
    sendJson(response, 200, {
      data: [{ id: attempt }],
      pagination: { links: attempt < 3 ? { next: `https://evil.example/?page=${attempt + 1}` } : {} },
    }),
  );
  const ids = [];
  for await (const { id } of connect().events('main').list({ search: 'x' })) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  expect(server.requests.map(({ url }) => url)).toEqual(
    ['1', '2', '3'].map((page) => `/api/v1/calendar/events?search=x&page=${page}&instance=main`),
  );
});

describe('A server with smaller pages than requested', () => {
  const items = [1, 2, 3, 4, 5].map((id) => ({ id }));

  /** Pages of two items at most, which begin where pages of the requested size would. */
  function sendPage(response: ServerResponse, url: string, pagination: (page: number) => object): void {
    const params = new URL(url, server.url).searchParams;
    const [page, limit] = [Number(params.get('page')), Number(params.get('limit'))];
    const from = (page - 1) * limit;
    const data = items.slice(from, from + Math.min(limit, 2));
    sendJson(response, 200, { data, totalItems: items.length, pagination: pagination(page) });
  }

  test.each([
    ['perPage', () => ({ perPage: 2, totalPages: 3 })],
    ['the next link', (page: number) => ({ links: page < 3 ? { next: `?page=${page + 1}&limit=2` } : {} })],
  ])('is asked for further pages of the size of %s', async (_, pagination) => {
    server.behave((response, { incoming }) => sendPage(response, incoming.url ?? '', pagination));
    expect(await idsOf(connect(), { limit: 5 })).toEqual([1, 2, 3, 4, 5]);
    expect(server.requests.map(({ url }) => new URL(url, server.url).search)).toEqual([
      '?limit=5&page=1',
      '?limit=2&page=2',
      '?limit=2&page=3',
    ]);
  });
});

test('A list that shrinks while it is read is read again, even if new items make up for the count', async () => {
  const sandbox = await openSandbox({ memory: true });
  onTestFinished(() => sandbox.close());
  const add = () => createEvent(callerOf(sandbox));
  for (let number = 1; number <= 6; number += 1) await add();
  const client = connect(sandbox);
  const seen: number[] = [];
  for await (const { id } of client.events().list({ limit: 2, sort: '+id' })) {
    seen.push(id);
    if (seen.length === 2) await client.events().delete(1);
    if (seen.length === 4) for (const _ of [7, 8, 9]) await add();
  }
  expect(seen.slice(0, 4)).toEqual([1, 2, 4, 5]);
  expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
