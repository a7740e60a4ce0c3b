import { openAsBlob } from 'node:fs';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CmsClient, createCmsClient, type ResponseInfo } from '../../../src/cms/client.ts';
import type { TestCms } from '../../support/cms/start-cms.ts';
import { openSandbox } from '../sandbox/harness.ts';

const time = { start: '10:00:00', end: '11:00:00', type: 'timed' };
const concert = { title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time };
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let sandbox: TestCms;
let client: CmsClient;
let responses: ResponseInfo[] = [];

beforeAll(async () => {
  sandbox = await openSandbox({ memory: true, port: 0 });
  client = createCmsClient({ baseUrl: sandbox.url, token: sandbox.token, onResponse: (info) => responses.push(info) });
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
});
beforeEach(() => {
  responses = [];
});

async function faults(...plan: object[]): Promise<void> {
  const answer = await fetch(`${sandbox.url}/_sandbox/faults`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${sandbox.token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'test',
    },
    body: JSON.stringify({ faults: plan }),
  });
  expect(answer.status).toBe(200);
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('Events', () => {
  test('An event is created, read, patched, replaced and deleted', async () => {
    const events = client.events();
    const created = await events.create({ ...concert, description: '<p>Brass</p>' });
    expect(created).toMatchObject({ ...concert, id: expect.any(Number) });
    expect(await events.get(created.id)).toEqual(created);

    const patched = await events.patch(created.id, { title: 'Late concert' });
    expect(patched).toMatchObject({ title: 'Late concert', description: '<p>Brass</p>' });

    const replaced = await events.replace(created.id, concert);
    expect(replaced.title).toBe('Concert');
    expect(replaced.description ?? '').toBe('');

    await events.delete(created.id);
    await expect(events.get(created.id)).rejects.toMatchObject({
      code: 'FF_CMS_NOT_FOUND',
      kind: 'permanent',
      status: 404,
      ambiguous: false,
      message: expect.stringContaining(`calendar/events/${created.id}`),
    });
    await expect(events.delete(created.id)).rejects.toMatchObject({ code: 'FF_CMS_NOT_FOUND' });
  });

  test('An event without a required attribute is refused with the reason', async () => {
    await expect(client.events().create({ title: 'No date' })).rejects.toMatchObject({
      kind: 'permanent',
      ambiguous: false,
      message: expect.stringMatching(/date/),
    });
    expect(responses).toHaveLength(1);
  });

  test('A list within dates is read over all its pages', async () => {
    const events = client.events('lists');
    const dates = Array.from({ length: 25 }, (_, day) => `2031-01-${String(day + 1).padStart(2, '0')}`);
    const ids = [];
    for (const date of dates) ids.push((await events.create({ ...concert, date, endDate: date })).id);

    expect((await collect(events.list({ limit: 10 }))).map(({ id }) => id).sort()).toEqual(ids.sort());
    const some = await collect(events.list({ startDate: '2031-01-03', endDate: '2031-01-05' }));
    expect(some.map(({ date }) => date).sort()).toEqual(['2031-01-03', '2031-01-04', '2031-01-05']);

    const page = await events.page({ limit: 10, page: 2 });
    expect(page.data).toHaveLength(10);
    expect(page.pagination?.currentPage).toBe(2);
    expect(page.totalItems).toBe(25);
  });

  test('A file is uploaded and set', async () => {
    const content = new Blob([onePixel]);
    const { src } = await client.upload('image', { fileName: 'dot "1".png', mediaType: 'image/png', content });
    const event = await client.events().create({ ...concert, image: { src } });
    expect(JSON.stringify(event.image)).toContain(src);
  });

  test('A file on disk is uploaded completely', async () => {
    const content = await openAsBlob(import.meta.filename);
    const file = { fileName: 'a.pdf', mediaType: 'application/pdf', content };
    await expect(client.upload('file', { ...file, content: new Blob([onePixel, content]) })).resolves.toHaveProperty(
      'src',
    );
  });
});

describe('Accounts', () => {
  test('An account is created, patched, read, replaced and found', async () => {
    const accounts = client.accounts();
    const created = await accounts.create({ username: 'ada', password: 'enigma-42', firstName: 'Ada', lastName: 'L' });
    expect(created).not.toHaveProperty('password');
    expect((await accounts.patch(created.id, { company: 'Engines' })).company).toBe('Engines');
    expect(await accounts.get(created.id)).toMatchObject({ username: 'ada', company: 'Engines' });
    const replaced = await accounts.replace(created.id, { username: 'ada' });
    expect([replaced.username, replaced.company ?? '', replaced.links?.length]).toEqual(['ada', '', 2]);
    expect((await collect(accounts.list({ sort: '+lastName' }))).map(({ id }) => id)).toEqual([created.id]);
    await accounts.delete(created.id);
    expect(await collect(accounts.list())).toEqual([]);
  });
});

describe('Failures of the CMS', () => {
  test('A create that was applied without a response is ambiguous and is not sent again', async () => {
    const events = client.events('applied');
    await faults({ kind: 'reset', when: 'after', method: 'POST', times: 1 });
    await expect(events.create(concert)).rejects.toMatchObject({ code: 'FF_CMS_CONNECTION', ambiguous: true });
    expect(await collect(events.list())).toHaveLength(1);
  });

  test.each([{ kind: 'error', status: 503 }, { kind: 'reset', when: 'before' }, { kind: 'truncate' }])(
    'Other requests are repeated: $kind',
    async (fault) => {
      const { id } = await client.events().create(concert);
      await faults({ ...fault, times: 1 });
      expect((await client.events().patch(id, { title: 'Again' })).title).toBe('Again');
      await faults({ ...fault, times: 1 });
      expect((await client.events().get(id)).title).toBe('Again');
    },
  );

  test('A delete that was applied without a response succeeds', async () => {
    const { id } = await client.events().create(concert);
    await faults({ kind: 'reset', when: 'after', method: 'DELETE', times: 1 });
    await client.events().delete(id);
    expect(responses.filter(({ operation }) => operation === 'events.delete')).toMatchObject([
      { error: 'FF_CMS_CONNECTION' },
      { error: 'FF_CMS_NOT_FOUND', status: 404 },
    ]);
  });

  test('The caller handles a long Retry-After', async () => {
    await faults({ kind: 'rateLimit', retryAfter: 30, times: 1 });
    await expect(client.accounts().page()).rejects.toMatchObject({
      code: 'FF_CMS_RATE_LIMITED',
      retryAfterMs: 30_000,
      ambiguous: false,
    });
    expect(responses).toHaveLength(1);
  });

  test('A wrong token stops every request and is not shown', async () => {
    const token = 'wrong-token-1234';
    const stranger = createCmsClient({ baseUrl: sandbox.url, token });
    const error: unknown = await stranger
      .events()
      .page()
      .catch((thrown: unknown) => thrown);
    await stranger.close();
    expect(error).toMatchObject({ code: 'FF_CMS_UNAUTHORIZED', kind: 'stops', status: 401, ambiguous: false });
    expect(inspect([stranger, error], { depth: 9, showHidden: true })).not.toContain(token);
  });
});
