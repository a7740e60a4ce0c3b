import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type CmsClient,
  type CmsClientOptions,
  type CmsError,
  createCmsClient,
  type ResponseInfo,
} from '../../../src/cms/client.ts';
import type { Gate, Passage, RequestEnd } from '../../../src/core/gate.ts';
import { type Clock, systemClock } from '../../../src/core/runtime/clock.ts';
import { type HostileServer, sendJson, startHostileServer } from './hostile-server.ts';

const token = 'T0ken-abcdef';
const payload = { title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: { type: 'timed' } };
const file = { fileName: 'dot.png', mediaType: 'image/png', content: new Blob(['png']) };

let server: HostileServer;
const clients: CmsClient[] = [];

beforeAll(async () => {
  server = await startHostileServer();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => server.close());

function connect(options: Partial<CmsClientOptions> = {}): CmsClient {
  const client = createCmsClient({ baseUrl: server.url, token, timeoutMs: 10_000, ...options });
  clients.push(client);
  return client;
}

/** The error of a call, with what it must never hold checked. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    (value) => expect.unreachable(`succeeded with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
  return error;
}

describe('Requests', () => {
  test('A request has the headers and the path of the API', async () => {
    server.behave((response) => sendJson(response, 200, { id: 7 }));
    const client = connect({ baseUrl: `${server.url}/site/`, userAgent: 'importer/1' });
    await client.events('main').patch(7, payload);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'PATCH', url: '/site/api/v1/calendar/events/7?instance=main' });
    expect(JSON.parse(request!.body)).toEqual(payload);
    expect(request!.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': 'importer/1',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
    await client.accounts().get(7);
    expect(server.requests[1]!.url).toBe('/site/api/v1/account/accounts/7');
    expect(server.requests[1]!.headers).not.toHaveProperty('content-type');
  });

  test('A request carries its query encoded', async () => {
    server.behave((response) => sendJson(response, 200, { data: [] }));
    const query = {
      attributes: { lastName: 'O & K' },
      sort: '+title',
      search: 'a=b',
      limit: 5,
      page: 2,
      startDate: '2030-01-01',
      endDate: '2030-12-31',
    };
    await connect().events().page(query);
    await connect().accounts().page({ attributes: 'raw:syntax' });
    const [events, accounts] = server.requests.map(({ url }) => new URL(url, server.url).searchParams);
    expect(Object.fromEntries(events!)).toEqual({
      'attributes[lastName]': 'O & K',
      sort: '+title',
      search: 'a=b',
      limit: '5',
      page: '2',
      startDate: '2030-01-01',
      endDate: '2030-12-31',
    });
    expect(Object.fromEntries(accounts!)).toEqual({ attributes: 'raw:syntax' });
  });

  test('Every kind of request goes to the instance of its client', async () => {
    server.behave((response) => sendJson(response, 200, { id: 1, data: [] }));
    const events = connect().events('arts & crafts');
    await events.page();
    await events.create(payload);
    for (const call of [events.get, events.delete]) await call(1);
    for (const call of [events.replace, events.patch]) await call(1, payload);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      ['GET ', 'POST ', 'GET /1', 'DELETE /1', 'PUT /1', 'PATCH /1'].map((request) => {
        const [method, item] = request.split(' ');
        return `${method} /api/v1/calendar/events${item}?instance=arts+%26+crafts`;
      }),
    );
  });

  test('An upload is multipart, with the file in the field "upload"', async () => {
    server.behave((response) => sendJson(response, 200, { src: '/files/dot.png', width: 1 }));
    expect(await connect().upload('image', file, { instance: 'main' })).toMatchObject({
      src: '/files/dot.png',
      width: '1',
    });
    const [request] = server.requests;
    expect(request!.url).toBe('/api/v1/calendar/upload?instance=main&attribute=image');
    expect(request!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(request!.body).toContain('name="upload"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\npng\r\n');
  });

  test('The gate gets the time that a request took, unless it sent a file', async () => {
    server.behave((response) => sendJson(response, 200, { id: 1, src: '/x' }));
    const ends: RequestEnd[] = [];
    const gate: Gate = { enter: async () => ({ leave: async (end) => void ends.push(end) }) };
    const client = connect({ concurrency: 1, gate });
    await client.events().get(1);
    await client.upload('file', { fileName: 'a.txt', mediaType: 'text/plain', content: new Blob(['a']) });
    const health = 'well';
    expect(ends).toEqual([{ health, operation: 'events.get', tookMs: expect.any(Number) }, { health }]);
  });

  test('Every request, repeated ones too, waits at the gate and is reported', async () => {
    server.behave((response, { attempt }) =>
      attempt === 1 ? response.writeHead(503).end() : sendJson(response, 200, { id: 1 }),
    );
    let passed = 0;
    const responses: ResponseInfo[] = [];
    const ends: RequestEnd[] = [];
    const gate: Gate = {
      async enter() {
        expect(server.requests).toHaveLength(passed);
        passed += 1;
        return { leave: async (end) => void ends.push(end) };
      },
    };
    await connect({ gate, onResponse: (info) => responses.push(info) })
      .events()
      .get(1);
    expect(passed).toBe(2);
    const always = {
      method: 'GET',
      operation: 'events.get',
      durationMs: expect.any(Number),
      answeredAt: expect.any(Number),
    };
    expect(responses).toEqual([
      { ...always, status: 503, error: 'FF_CMS_SERVER' },
      { ...always, status: 200 },
    ]);
    expect(ends).toMatchObject([{ health: 'unwell', error: { code: 'FF_CMS_SERVER' } }, { health: 'well' }]);
  });
});

describe('Tolerated responses', () => {
  test('Items may have numbers as strings, unknown or ill-typed attributes, or only an id', async () => {
    const time = { start: 'x', isAllDay: '1', more: 1 };
    server.behave((response) => sendJson(response, 201, { id: '12', isFeatured: {}, title: 5, time, colour: ['red'] }));
    const event = await connect().events().create(payload);
    expect(event).toEqual({ id: 12, title: '5', time: { start: 'x', isAllDay: true, more: 1 }, colour: ['red'] });
  });

  test('A list may lack the other parts of its envelope, and have counts as strings', async () => {
    server.behave((response) =>
      sendJson(response, 200, { data: [{ id: '1' }], pagination: { totalPages: '1', links: [] } }),
    );
    expect(await connect().events().page()).toMatchObject({ data: [{ id: 1 }], pagination: { totalPages: 1 } });
  });

  test('A delete may return 200 and JSON', async () => {
    server.behave((response) => sendJson(response, 200, null));
    await connect().accounts().delete(3);
  });
});

describe('Refused successes', () => {
  const calls: Array<[string, (client: CmsClient) => Promise<unknown>]> = [
    ['GET', (client) => client.events().get(5, { retries: 0 })],
    ['PUT', (client) => client.events().replace(5, payload, { retries: 0 })],
    ['PATCH', (client) => client.accounts().patch(5, { title: 'Dr' }, { retries: 0 })],
  ];

  test.each(calls)('A %s that shows another item is an error', async (method, call) => {
    server.behave((response) => sendJson(response, 200, { id: 6, title: 'Other' }));
    const error = await failureOf(call(connect()));
    expect(error).toMatchObject({ code: 'FF_CMS_FOREIGN', status: 200, mayBeApplied: true, ambiguous: false });
    expect(error).toMatchObject({
      message: expect.stringMatching(`^${method} .* returned 200: item 6 in place of item 5$`),
    });
    server.behave((response) => sendJson(response, 200, { id: '5' }));
    expect(await call(connect())).toMatchObject({ id: 5 });
  });

  test.each([
    ['a list', [{ id: 5 }]],
    ['an envelope', { data: [{ id: 5 }] }],
    ['an item without an id', { title: 'T' }],
    ['an id with a fraction', { id: 5.5 }],
    ['null', null],
  ])('A GET of an item that answers with %s is an error', async (_name, body) => {
    server.behave((response) => sendJson(response, 200, body));
    const error = await failureOf(connect().events().get(5, { retries: 0 }));
    expect(error).toMatchObject({ code: 'FF_CMS_RESPONSE', status: 200 });
  });

  test('Errors beside the items of a list, or in answer to a delete, are an error', async () => {
    server.behave((response) => sendJson(response, 200, { data: [], errors: [{ title: 'Index is rebuilt' }] }));
    const expected = { code: 'FF_CMS_RESPONSE', message: expect.stringContaining('Index is rebuilt') };
    expect(await failureOf(connect().events().page({}, { retries: 0 }))).toMatchObject(expected);
    expect(await failureOf(connect().events().delete(5, { retries: 0 }))).toMatchObject(expected);
  });

  test('A page of millions of empty objects is refused before it is parsed', async () => {
    const body = `{"data":[${'{},'.repeat(4_600_000)}{}]}`;
    server.behave((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    const error = await failureOf(connect().events().page({}, { retries: 0 }));
    expect(error).toMatchObject({
      code: 'FF_CMS_RESPONSE',
      message: expect.stringContaining('more than 1,000,000 objects and lists'),
    });
  });
});

describe('Compressed responses', () => {
  const json = JSON.stringify({ id: 5, title: 'Grüße' });

  test.each([
    ['gzip', gzipSync(json)],
    [undefined, gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['identity', Buffer.from(json)],
  ])('A body that is encoded as %s is read', async (encoding, body) => {
    server.behave((response) => response.writeHead(200, encoding ? { 'content-encoding': encoding } : {}).end(body));
    expect(await connect().events().get(5)).toMatchObject({ id: 5, title: 'Grüße' });
  });

  test.each([
    ['larger than a response may be', gzipSync(' '.repeat(2_000_000))],
    ['cut off', gzipSync(json).subarray(0, 20)],
  ])('A compressed body that is %s is an error', async (_name, body) => {
    server.behave((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
    const error = await failureOf(connect({ maxResponseBytes: 1_000_000 }).events().get(5, { retries: 0 }));
    expect(error).toMatchObject({
      code: 'FF_CMS_RESPONSE',
      message: expect.stringContaining('its compressed body cannot be unpacked'),
    });
  });

  test('An unknown encoding is named', async () => {
    server.behave((response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('('));
    const error = await failureOf(connect().events().get(5, { retries: 0 }));
    expect(error).toMatchObject({ message: expect.stringContaining('encoded as zstd') });
  });
});

describe('Creates', () => {
  // A hostility that never ends its answer needs none: the client's time-out, then the server's close, end it.
  test.each<[string, Parameters<HostileServer['behave']>[0], object]>([
    ['reset', (response) => response.socket?.resetAndDestroy(), { code: 'FF_CMS_CONNECTION', ambiguous: true }],
    ['closed', (response) => response.socket?.end(), { code: 'FF_CMS_CONNECTION', ambiguous: true }],
    ['no answer', () => {}, { code: 'FF_CMS_TIMEOUT', ambiguous: true }],
    ['no body', (response) => response.writeHead(201).flushHeaders(), { code: 'FF_CMS_TIMEOUT', ambiguous: true }],
    ['500', (response) => sendJson(response, 500, {}), { code: 'FF_CMS_SERVER', ambiguous: true, status: 500 }],
    ['HTML 502', (response) => response.writeHead(502).end('<title>Bad'), { code: 'FF_CMS_SERVER', ambiguous: true }],
    ['HTML 201', (response) => response.writeHead(201).end('<html>'), { code: 'FF_CMS_RESPONSE', ambiguous: true }],
    ['cut JSON', (response) => response.writeHead(201).end('{"id":'), { code: 'FF_CMS_RESPONSE', ambiguous: true }],
    [
      'cut transfer',
      (response) => response.writeHead(201, { 'content-length': 99 }).write('{"id":1', () => response.socket?.end()),
      { code: 'FF_CMS_CONNECTION', ambiguous: true },
    ],
    ['no id', (response) => sendJson(response, 201, { title: 'x' }), { code: 'FF_CMS_RESPONSE', ambiguous: true }],
    ['not HTTP', (response) => response.socket?.end('SSH-2.0-x\r\n'), { code: 'FF_CMS_RESPONSE', ambiguous: true }],
    [
      '303, the answer to a POST that was applied',
      (response) => response.writeHead(303, { location: '/calendar' }).end(),
      { code: 'FF_CMS_REDIRECT', kind: 'stops', ambiguous: true, mayBeApplied: true },
    ],
    [
      '302',
      (response) => response.writeHead(302, { location: '/login' }).end(),
      { code: 'FF_CMS_REDIRECT', kind: 'stops', ambiguous: false, mayBeApplied: false },
    ],
    ['400', (response) => sendJson(response, 400, {}), { code: 'FF_CMS_BAD_REQUEST', ambiguous: false }],
    ['401', (response) => sendJson(response, 401, {}), { code: 'FF_CMS_UNAUTHORIZED', ambiguous: false }],
    ['403', (response) => sendJson(response, 403, {}), { code: 'FF_CMS_STATUS', ambiguous: false }],
    ['404', (response) => sendJson(response, 404, { errors: [] }), { code: 'FF_CMS_NOT_FOUND', ambiguous: false }],
    ['408', (response) => sendJson(response, 408, {}), { code: 'FF_CMS_TIMEOUT', ambiguous: false }],
    ['415', (response) => sendJson(response, 415, {}), { code: 'FF_CMS_UNSUPPORTED_MEDIA', ambiguous: false }],
    ['422', (response) => sendJson(response, 422, {}), { code: 'FF_CMS_UNPROCESSABLE', ambiguous: false }],
    ['429', (response) => sendJson(response, 429, {}), { code: 'FF_CMS_RATE_LIMITED', ambiguous: false }],
  ])('A create is sent once and its error says what happened: %s', async (_, hostility, expected) => {
    server.behave(hostility);
    expect(await failureOf(connect({ timeoutMs: 800 }).events().create(payload))).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
    server.behave(hostility);
    expect(await failureOf(connect({ timeoutMs: 800 }).upload('image', file))).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  test('A create is repeated while there is no connection, and is not ambiguous', async () => {
    const closed = createServer();
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port)),
    );
    await new Promise((resolve) => closed.close(resolve));
    const responses: ResponseInfo[] = [];
    const client = connect({ baseUrl: `http://127.0.0.1:${port}`, onResponse: (info) => responses.push(info) });
    const error = await failureOf(client.events().create(payload));
    expect(error).toMatchObject({ code: 'FF_CMS_UNREACHABLE', kind: 'retryable', ambiguous: false });
    expect(String(error)).toContain('ECONNREFUSED');
    expect(responses).toHaveLength(3);
  });

  test('A create to a host without an address is not ambiguous', async () => {
    const client = connect({ baseUrl: 'https://cms.invalid', retries: 0 });
    const expected = { code: 'FF_CMS_UNREACHABLE', ambiguous: false };
    expect(await failureOf(client.events().create(payload))).toMatchObject(expected);
  });

  test('A create over a connection that never becomes TLS is not ambiguous', async () => {
    const client = connect({ baseUrl: server.url.replace('http:', 'https:'), retries: 0 });
    const expected = { code: 'FF_CMS_UNREACHABLE', ambiguous: false };
    expect(await failureOf(client.events().create(payload))).toMatchObject(expected);
  });

  test('The error of a create hides the password and token that the CMS repeats', async () => {
    server.behave((response, { body, incoming }) =>
      sendJson(response, 422, {
        errors: [{ detail: `${JSON.parse(body).password} and ${incoming.headers.authorization}` }],
      }),
    );
    const error = await failureOf(connect().accounts().create({ password: 'enigma-42' }));
    expect(String(error)).toContain('422: [secret] and Bearer [secret]');
  });
});

describe('Safe repetitions', () => {
  const calls: Array<[string, (client: CmsClient) => Promise<unknown>]> = [
    ['get', (client) => client.events().get(1)],
    ['patch', (client) => client.events().patch(1, payload)],
    ['replace', (client) => client.events().replace(1, payload)],
    ['delete', (client) => client.events().delete(1)],
    ['page', (client) => client.events().page()],
  ];
  const fine = { id: 1, data: [] };

  test.each(calls)('The request is repeated: %s', async (_, call) => {
    server.behave((response, { attempt }) =>
      attempt === 1 ? response.socket?.resetAndDestroy() : sendJson(response, 200, fine),
    );
    await call(connect());
    expect(server.requests).toHaveLength(2);
  });

  test('No request is repeated for ever', async () => {
    server.behave((response) => response.writeHead(500).end('<html>'));
    expect(await failureOf(connect().events().patch(1, payload))).toMatchObject({
      code: 'FF_CMS_SERVER',
      ambiguous: false,
    });
    expect(server.requests).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 415, 422])('The status %d is never repeated', async (status) => {
    server.behave((response) => sendJson(response, status, { errors: [] }));
    expect(await failureOf(connect().events().patch(1, payload))).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  const busyOnce = (retryAfter: string) =>
    server.behave((response, { attempt }) =>
      attempt === 1 ? response.writeHead(429, { 'retry-after': retryAfter }).end() : sendJson(response, 200, fine),
    );

  test('The client waits for a short Retry-After', async () => {
    busyOnce('1');
    const pauses: number[] = [];
    const sleep = async (ms: number) => void pauses.push(ms);
    await connect({ clock: { ...systemClock, sleep } })
      .events()
      .get(1);
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(1_000);
    expect(server.requests).toHaveLength(2);
  });

  test('A long Retry-After is returned at once', async () => {
    busyOnce('3');
    expect(await failureOf(connect().events().get(1))).toMatchObject({ retryAfterMs: 3_000, kind: 'retryable' });
    expect(server.requests).toHaveLength(1);
  });

  test('A Retry-After may be a date', async () => {
    busyOnce(new Date(Date.now() + 120_000).toUTCString());
    const error = (await failureOf(connect().events().get(1))) as CmsError;
    expect(error.retryAfterMs).toBeGreaterThan(60_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(120_000);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['by the first try, whose answer was lost', 503, undefined],
    ['by someone else', 429, { code: 'FF_CMS_NOT_FOUND' }],
  ])('A delete of an item %s', async (_, status, error) => {
    server.behave((response, { attempt }) => sendJson(response, attempt === 1 ? status : 404, { errors: [] }));
    const call = connect().events().delete(1);
    if (error) expect(await failureOf(call)).toMatchObject(error);
    else await call;
    expect(server.requests).toHaveLength(2);
  });
});

describe('Limits', () => {
  test('A redirect is not followed', async () => {
    server.behave((response) => response.writeHead(307, { location: 'https://login.example.edu/?s=1' }).end());
    const error = await failureOf(connect().events().get(1));
    expect(error).toMatchObject({ code: 'FF_CMS_REDIRECT', kind: 'stops', status: 307 });
    expect(String(error)).toContain('login.example.edu,');
    expect(server.requests).toHaveLength(1);
  });

  test('A body that arrives too slowly is abandoned', async () => {
    server.behave((response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const call = connect({ retries: 0, timeoutMs: 500 }).events().get(1);
    expect(await failureOf(call)).toMatchObject({ code: 'FF_CMS_TIMEOUT' });
  });

  test('An endless body is abandoned', async () => {
    server.behave((response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
    });
    const client = connect({ retries: 0 });
    expect(await failureOf(client.events().get(1))).toMatchObject({ code: 'FF_CMS_RESPONSE' });
  });

  test('An error status counts even if its body never arrives', async () => {
    server.behave((response) => response.writeHead(401).flushHeaders());
    expect(await failureOf(connect({ timeoutMs: 800 }).events().get(1))).toMatchObject({ code: 'FF_CMS_UNAUTHORIZED' });
  });

  test('A file that is too large is not sent', async () => {
    server.behave((response) => sendJson(response, 200, { src: '/x' }));
    const call = connect({ maxUploadBytes: 2 }).upload('image', file);
    expect(await failureOf(call)).toMatchObject({ code: 'FF_ATTACHMENT_TOO_LARGE' });
    expect(server.requests).toHaveLength(0);
  });

  test('A file that changes on disk after it was opened is not uploaded', async () => {
    server.behave((response) => sendJson(response, 200, { src: '/x' }));
    const folder = await mkdtemp(join(tmpdir(), 'feedferry-test-'));
    const path = join(folder, 'a.pdf');
    await writeFile(path, 'before');
    const content = await openAsBlob(path);
    await writeFile(path, 'quite different');
    const error = await failureOf(
      connect().upload('file', { fileName: 'a.pdf', mediaType: 'application/pdf', content }),
    );
    await rm(folder, { recursive: true });
    expect(error).toMatchObject({ code: 'FF_ATTACHMENT_UNREADABLE' });
  });

  test('The client opens no more connections than the concurrency', async () => {
    const sockets = new Set<unknown>();
    const waiting: ServerResponse[] = [];
    server.behave((response, { incoming }) => {
      sockets.add(incoming.socket);
      if (waiting.push(response) === 3) for (const held of waiting.splice(0)) sendJson(held, 200, { id: 1 });
    });
    const events = connect({ concurrency: 3 }).events();
    await Promise.all(Array.from({ length: 30 }, () => events.patch(1, payload)));
    expect(server.requests).toHaveLength(30);
    expect(sockets.size).toBe(3);
  });

  test.each(['', 'two words', 'line\n', 'ü'])('The token %j is refused', (unusable) => {
    expect(() => connect({ token: unusable })).toThrow(expect.objectContaining({ code: 'FF_CONFIG_INVALID' }));
  });
});

describe('Signals', () => {
  test('A request that was aborted before sends nothing', async () => {
    server.behave((response) => sendJson(response, 201, { id: 1 }));
    const call = connect()
      .events()
      .create(payload, { signal: AbortSignal.abort(new Error('stop')) });
    expect(await failureOf(call)).toMatchObject({
      code: 'FF_CMS_ABORTED',
      ambiguous: false,
      cause: { message: 'stop' },
    });
    expect(server.requests).toHaveLength(0);
  });

  test('A request that is aborted at the gate sends nothing', async () => {
    const stop = new AbortController();
    const gate: Gate = {
      enter: (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    };
    const call = connect({ gate }).events().create(payload, { signal: stop.signal });
    stop.abort(new Error('stop'));
    expect(await failureOf(call)).toMatchObject({ code: 'FF_CMS_ABORTED', ambiguous: false });
  });

  test('A request that is no longer wanted after its wait sends nothing', async () => {
    const ends: RequestEnd[] = [];
    const passage: Passage = { leave: async (end) => void ends.push(end) };
    const call = connect({ gate: { enter: async () => passage } })
      .events()
      .create(payload, { maySend: () => false });
    expect(await failureOf(call)).toMatchObject({ code: 'FF_CMS_ABORTED', ambiguous: false });
    expect(server.requests).toHaveLength(0);
    expect(ends).toEqual([{ health: 'unknown', error: expect.any(Error) }]);
  });

  test('A request that changes something is confirmed after its wait, and one that only reads is not', async () => {
    server.behave((response) => sendJson(response, 200, { id: 7 }));
    const asked: string[] = [];
    const client = connect();
    const call = { confirm: async () => asked.push('confirm') === 0 };
    expect(await failureOf(client.events().patch(7, payload, call))).toMatchObject({ code: 'FF_CMS_ABORTED' });
    expect(await failureOf(client.events().create(payload, call))).toMatchObject({ ambiguous: false });
    expect(server.requests).toHaveLength(0);
    await client.events().get(7, call);
    expect([asked.length, server.requests.length]).toEqual([2, 1]);
  });

  test('A request that waits for a connection is not sent once it is no longer wanted', async () => {
    const answers: ServerResponse[] = [];
    server.behave((response) => answers.push(response));
    const client = connect({ concurrency: 1 });
    const first = client.events().create(payload);
    const late = failureOf(client.events().create(payload, { maySend: () => answers.length === 0 }));
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    sendJson(answers[0]!, 201, { id: 7 });
    expect(await first).toMatchObject({ id: 7 });
    expect(await late).toMatchObject({ code: 'FF_CMS_ABORTED', ambiguous: false });
    expect(server.requests).toHaveLength(1);
    server.behave((response) => sendJson(response, 201, { id: 8 }));
    expect(await client.events().create(payload, { maySend: () => true })).toMatchObject({ id: 8 });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['create', true, (client: CmsClient, signal: AbortSignal) => client.events().create(payload, { signal })],
    ['patch', false, (client: CmsClient, signal: AbortSignal) => client.events().patch(1, payload, { signal })],
    ['upload', true, (client: CmsClient, signal: AbortSignal) => client.upload('image', file, { signal })],
  ])('A request that is aborted in flight: %s', async (_, ambiguous, call) => {
    const stop = new AbortController();
    server.behave(() => stop.abort(new Error('stop')));
    const client = connect();
    expect(await failureOf(call(client, stop.signal))).toMatchObject({ code: 'FF_CMS_ABORTED', ambiguous });
    expect(server.requests).toHaveLength(1);
  });

  test('An abort between two attempts ends the pause at once', async () => {
    const stop = new AbortController();
    server.behave((response) => response.writeHead(503, { 'retry-after': '2' }).end());
    // Only the abort ends a pause.
    const sleep: Clock['sleep'] = (ms, options) => systemClock.sleep(ms === 0 ? 0 : 2 ** 31 - 1, options);
    const clock = { ...systemClock, sleep };
    const client = connect({ clock, onResponse: () => setImmediate(() => stop.abort()) });
    expect(await failureOf(client.events().get(1, { signal: stop.signal }))).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });
});

test('A closed client sends nothing, and may be closed again', async () => {
  server.behave((response) => sendJson(response, 201, { id: 1 }));
  const client = connect();
  await client.close();
  await client.close();
  expect(await failureOf(client.events().create(payload))).toMatchObject({ code: 'FF_CMS_ABORTED', ambiguous: false });
  expect(server.requests).toHaveLength(0);
});
