import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CmsClient, createCmsClient } from '../../../src/cms/client.ts';
import type { TestCmsOptions } from '../../support/cms/start-cms.ts';
import { callerOf, createEvent, openSandbox } from '../sandbox/harness.ts';
import { type HostileServer, sendJson, startHostileServer } from './hostile-server.ts';

const clients: CmsClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

function connect(target: { url: string; token?: string }): CmsClient {
  const client = createCmsClient({ baseUrl: target.url, token: target.token ?? 'any-token', retries: 0 });
  clients.push(client);
  return client;
}

async function idsOf(client: CmsClient, query: object = { limit: 100 }): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of client.events().list(query)) ids.push(id);
  return ids;
}

/** A sandbox with 9 events, and the limits of its lists. */
async function siteWith(switches: TestCmsOptions['switches']) {
  const sandbox = await openSandbox({ memory: true, switches });
  onTestFinished(() => sandbox.close());
  for (let number = 1; number <= 9; number += 1) await createEvent(callerOf(sandbox));
  const asked = () =>
    sandbox
      .journal({ method: 'GET' })
      .map(({ path, status }) => [new URL(path, 'http://x').searchParams.get('limit'), status]);
  return { sandbox, asked };
}

const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('A CMS that refuses the size of a page', () => {
  test.each([
    [{ maxLimit: 50, overLimit: 400 }, ['100', '50', '50', '50']],
    [{ maxLimit: 20, overLimit: 422 }, ['100', '50', '20', '20', '20']],
    [{ maxLimit: 4, overLimit: 422 }, ['100', '50', '20', null, null, null, null, null, null, null]],
  ] as const)('is asked for smaller ones, and the client remembers: %j', async (switches, limits) => {
    const { sandbox, asked } = await siteWith({ ...switches, lastPage: 'error' });
    const client = connect(sandbox);
    expect(await idsOf(client)).toEqual(all);
    expect(await idsOf(client)).toEqual(all);
    expect((await client.events('').page({ limit: 100 })).pagination?.perPage).toBe(switches.maxLimit);
    expect(asked().map(([limit]) => limit)).toEqual(limits);
  });

  test('keeps its pages in one size', async () => {
    const { sandbox, asked } = await siteWith({ maxLimit: 2, overLimit: 400 });
    const client = connect(sandbox);
    expect(await idsOf(client)).toEqual(all);
    expect((await client.events().page({ limit: 100, page: 2 })).data.map(({ id }) => id)).toEqual([3, 4]);
    expect(asked().slice(0, 3)).toEqual([
      ['100', 400],
      ['50', 400],
      ['20', 400],
    ]);
    expect(asked().filter(([, status]) => status === 400)).toHaveLength(3);
  });

  test('that lowers it without a word is followed in its size', async () => {
    const { sandbox, asked } = await siteWith({ maxLimit: 4 });
    expect(await idsOf(connect(sandbox))).toEqual(all);
    expect(asked().map(([limit]) => limit)).toEqual(['100', '4', '4']);
  });

  test('of accounts is still asked for large pages of events', async () => {
    const { sandbox, asked } = await siteWith({ maxLimit: 50, overLimit: 400 });
    const client = connect(sandbox);
    await client.accounts().page({ limit: 100 });
    await client.events().page({ limit: 100 });
    expect(asked().map(([limit]) => limit)).toEqual(['100', '50', '100', '50']);
  });
});

describe('A refusal for another reason', () => {
  let server: HostileServer;
  beforeAll(async () => {
    server = await startHostileServer();
  });
  afterAll(() => server.close());

  const wrong = { errors: [{ code: 422, title: 'Unprocessable', detail: 'sort: no such attribute' }] };

  test('is reported as it was, after a few requests', async () => {
    server.behave((response, { attempt }) =>
      sendJson(response, 422, attempt === 1 ? wrong : { errors: [{ code: 422, detail: 'later' }] }),
    );
    const reading = idsOf(connect(server), { limit: 100, sort: '+x' });
    await expect(reading).rejects.toMatchObject({ code: 'FF_CMS_UNPROCESSABLE', errors: wrong.errors });
    expect(server.requests).toHaveLength(4);
  });

  test('costs no further request once the size was taken', async () => {
    server.behave((response, { attempt }) =>
      attempt === 1 ? sendJson(response, 200, { data: [] }) : sendJson(response, 422, wrong),
    );
    const client = connect(server);
    await client.events().page({ limit: 100 });
    await expect(client.events().page({ limit: 100, sort: '+x' })).rejects.toMatchObject({ errors: wrong.errors });
    expect(server.requests).toHaveLength(2);
  });

  test('does not hide an error that stops the client', async () => {
    server.behave((response, { attempt }) => sendJson(response, attempt === 1 ? 400 : 401, wrong));
    await expect(connect(server).events().page({ limit: 100 })).rejects.toMatchObject({ code: 'FF_CMS_UNAUTHORIZED' });
    expect(server.requests).toHaveLength(2);
  });

  test('ends a list if a later page is refused, without smaller pages', async () => {
    server.behave((response, { attempt }) =>
      attempt === 1
        ? sendJson(response, 200, { data: [{ id: 1 }], pagination: { links: { next: '?page=2' } } })
        : sendJson(response, 400, wrong),
    );
    expect(await idsOf(connect(server))).toEqual([1]);
    expect(server.requests).toHaveLength(2);
  });
});
