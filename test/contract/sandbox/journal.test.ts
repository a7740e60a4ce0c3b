import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../support/cms/exchange.ts';
import { exchangeJournal, type Journal } from '../../support/cms/journal.ts';
import { startTestCms, type TestCms } from '../../support/cms/start-cms.ts';
import { accounts, type Caller, callerOf, createEvent, eventBody, events, onePixelPng } from './harness.ts';

const exchanges: Exchange[] = [];
let sandbox: TestCms;
let api: Caller;

beforeAll(async () => {
  sandbox = await startTestCms({
    memory: true,
    now: () => Date.UTC(2030, 4, 1),
    onExchange: (each) => exchanges.push(each),
  });
  api = callerOf(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(() => void exchanges.splice(0));

/** The exchange of the only request since the test began. */
async function onlyExchange(): Promise<Exchange> {
  await vi.waitFor(() => expect(exchanges).toHaveLength(1));
  return exchanges[0] as Exchange;
}

describe('onExchange', () => {
  test('gets request and response as they were sent, and the item that was created', async () => {
    const created = await createEvent(api, { seats: 5 }, '?instance=arts');
    const exchange = await onlyExchange();
    expect(exchange).toEqual({
      id: expect.any(Number),
      at: '2030-05-01T00:00:00.000Z',
      method: 'POST',
      path: '/api/v1/calendar/events?instance=arts',
      route: '/calendar/events',
      requestHeaders: expect.objectContaining({ 'content-type': 'application/json', authorization: '***' }),
      requestBody: JSON.stringify({ ...eventBody, seats: 5 }),
      status: 201,
      responseHeaders: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
      responseBody: JSON.stringify(created),
      complete: true,
      ms: expect.any(Number),
      faults: [],
      change: { resource: 'events', id: created.id, before: null, after: expect.objectContaining({ seats: 5 }) },
    });
  });

  test('gets the attributes before and after PATCH, PUT and DELETE, and no change if there was none', async () => {
    const { id } = (await api.call('POST', accounts, { lastName: 'Low' })).body;
    const path = `${accounts}/${id}`;
    for (const body of [{ lastName: 'Lowe' }, { lastName: 'Lowe' }, { lastName: 5 }])
      await api.call('PATCH', path, body);
    await api.call('PUT', path, { firstName: 'Ada' });
    await api.call('GET', path);
    await api.call('DELETE', path);
    await api.call('DELETE', path);
    await vi.waitFor(() => expect(exchanges).toHaveLength(8));
    const change = { resource: 'accounts', id };
    expect(exchanges.map((exchange) => [exchange.status, exchange.change])).toEqual([
      [201, { ...change, before: null, after: { lastName: 'Low' } }],
      [200, { ...change, before: { lastName: 'Low' }, after: { lastName: 'Lowe' } }],
      [200, undefined],
      [422, undefined],
      [200, { ...change, before: { lastName: 'Lowe' }, after: { firstName: 'Ada' } }],
      [200, undefined],
      [204, { ...change, before: { firstName: 'Ada' }, after: null }],
      [404, undefined],
    ]);
  });

  test.each([
    ['as JSON', '{"lastName":"Low","password":"hidden"}', '{"lastName":"Low","password":"***"}'],
    ['with an escaped name', '{"pass\\u0077ord":"hidden"}', '{"password":"***"}'],
    ['deep inside', '{"a":[{"oldPassword":{"x":"hidden"}}]}', '{"a":[{"oldPassword":"***"}]}'],
    ['in a body that is not JSON', '{"password": "hidden\\" there", "x"', '{"password": "***", "x"'],
    ['in a body that ends early', '{"password": "hidden', '{"password": "***"'],
  ])('gets no password: %s', async (_name, body, shown) => {
    const answer = await api.call('POST', accounts, body, { 'content-type': 'application/json' });
    const exchange = await onlyExchange();
    expect([exchange.requestBody, exchange.status]).toEqual([shown, answer.status]);
    expect(JSON.stringify(exchange)).not.toContain('hidden');
  });

  test('gets no token, not even a wrong one', async () => {
    await api.call('GET', events, undefined, { authorization: 'Bearer of-the-real-site' });
    const exchange = await onlyExchange();
    expect(exchange).toMatchObject({ status: 401, requestHeaders: { authorization: '***' } });
    expect(JSON.stringify(exchange)).not.toContain('of-the-real-site');
  });

  test('gets the length of an uploaded form', async () => {
    const form = new FormData();
    form.set('upload', new Blob([new Uint8Array(onePixelPng)]), 'a.png');
    const { status } = await api.call('POST', '/calendar/upload?attribute=image', form);
    const { requestBody, responseBody } = await onlyExchange();
    expect([status, requestBody]).toEqual([201, expect.stringMatching(/^\(\d{3} bytes of multipart\/form-data\)$/)]);
    expect(JSON.parse(responseBody)).toMatchObject({ fileName: 'a.png' });
  });

  test('gets the fault that struck, what was changed nevertheless, and what was sent', async () => {
    const faults = async (...all: object[]) => api.call('PUT', '/_sandbox/faults', { faults: all });
    await faults({ kind: 'reset', when: 'after', times: 1 });
    await expect(api.call('POST', events, eventBody)).rejects.toThrow();
    await faults({ kind: 'error', status: 503, when: 'after', times: 1 });
    await api.call('POST', events, eventBody);
    await faults({ kind: 'error', status: 502, when: 'before', times: 1 });
    await api.call('POST', events, eventBody);
    await faults({ kind: 'truncate', times: 1 });
    await expect(api.call('GET', events)).rejects.toThrow();
    await vi.waitFor(() => expect(exchanges).toHaveLength(4));
    const after = expect.objectContaining({ title: eventBody.title });
    const [reset, late, early, cut] = exchanges as [Exchange, Exchange, Exchange, Exchange];
    expect(reset).toMatchObject({ status: 0, complete: false, change: { before: null, after } });
    expect(reset.faults).toMatchObject([{ kind: 'reset', when: 'after' }]);
    expect(late).toMatchObject({ status: 503, complete: true, change: { before: null, after } });
    expect(JSON.parse(late.responseBody).errors[0].code).toBe(503);
    expect(early).toMatchObject({ status: 502, complete: true, faults: [{ kind: 'error' }] });
    expect(early.change).toBeUndefined();
    expect(cut).toMatchObject({ status: 200, complete: false });
    expect(cut.responseBody.length).toBe(Math.ceil(Number(cut.responseHeaders['content-length']) / 2));
  });
});

describe('The journal', () => {
  const journal = async (query = '') =>
    (await api.call('GET', `/_sandbox/journal${query}`)).body.exchanges as Exchange[];

  beforeEach(async () => {
    expect((await api.call('DELETE', '/_sandbox/journal')).status).toBe(204);
  });

  test('keeps exchanges in their order, and finds them by what they did', async () => {
    const { id } = await createEvent(api);
    await api.call('PATCH', `${events}/${id}`, { title: 'New' });
    await api.call('GET', `${events}/${id}`);
    await api.call('GET', `${events}/999999`);
    await api.call('POST', accounts, { lastName: 5 });
    await vi.waitFor(async () => expect(await journal()).toHaveLength(5));
    const ids = (await journal()).map((exchange) => exchange.id);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const found = async (query: string) => (await journal(query)).map((exchange) => ids.indexOf(exchange.id));
    expect(await found('?method=get')).toEqual([2, 3]);
    expect(await found('?path=/api/v1/account')).toEqual([4]);
    expect(await found('?status=404')).toEqual([3]);
    expect(await found('?status=4xx')).toEqual([3, 4]);
    expect(await found(`?item=events/${id}`)).toEqual([0, 1]);
    expect(await found('?changed=true&status=200')).toEqual([1]);
    expect(await found('?changed=false')).toEqual([2, 3, 4]);
    expect(await found(`?after=${ids[2]}`)).toEqual([3, 4]);
    expect(await found('?limit=2')).toEqual([3, 4]);
    expect(sandbox.journal({ status: '4xx', method: 'post' }).map((exchange) => exchange.id)).toEqual([ids[4]]);
    sandbox.clearJournal();
    expect(sandbox.journal()).toEqual([]);
  });

  test.each(['?status=abc', '?status=700', '?item=pages/5', '?changed=perhaps', '?limit=0', '?colour=red'])(
    'refuses the filter %s',
    async (query) => expect((await api.call('GET', `/_sandbox/journal${query}`)).status).toBe(422),
  );

  test('needs the token', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, '/_sandbox/journal', undefined, { authorization: null })).status).toBe(401);
  });
});

describe('A full journal', () => {
  const entry = (id: number, length: number) =>
    ({ id, requestBody: 'x'.repeat(length), responseBody: '' }) as Partial<Exchange> as Exchange;
  const ids = (journal: Journal) => journal.read().map(({ id }) => id);

  test('keeps the latest 1,000 exchanges', () => {
    const journal = exchangeJournal();
    for (let id = 1; id <= 1010; id += 1) journal.keep(entry(id, 10));
    expect(ids(journal)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 11));
  });

  test('forgets the oldest ones beyond 8 MiB of bodies, and keeps the latest one in any case', () => {
    const journal = exchangeJournal();
    for (let id = 1; id <= 20; id += 1) journal.keep(entry(id, 1024 * 1024));
    expect(ids(journal)).toEqual(Array.from({ length: 8 }, (_, index) => index + 13));
    journal.keep(entry(21, 17 * 1024 * 1024));
    expect(ids(journal)).toEqual([21]);
  });
});
