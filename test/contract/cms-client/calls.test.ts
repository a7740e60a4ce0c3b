import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CmsClient, type CmsClientOptions, type CmsError, createCmsClient } from '../../../src/cms/client.ts';
import { type HostileServer, sendJson, startHostileServer } from './hostile-server.ts';

const token = 'T0ken-abcdef';
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
  const client = createCmsClient({ baseUrl: server.url, token, ...options });
  clients.push(client);
  return client;
}

async function errorOf(call: Promise<unknown>): Promise<CmsError> {
  return call.then(
    () => expect.unreachable(),
    (error: CmsError) => error,
  );
}

describe('Options of a call', () => {
  test('A call has its own number of repeats', async () => {
    server.behave((response) => sendJson(response, 503, { errors: [] }));
    await errorOf(connect().events().get(1, { retries: 0 }));
    expect(server.requests).toHaveLength(1);
    await errorOf(connect({ retries: 0 }).events().get(1, { retries: 1 }));
    expect(server.requests).toHaveLength(3);
  });

  test('A call has its own time limit', async () => {
    server.behave(() => {});
    const error = await errorOf(connect().events().get(1, { retries: 0, timeoutMs: 50 }));
    expect(error).toMatchObject({ code: 'FF_CMS_TIMEOUT', message: expect.stringContaining('within 50 ms') });
  });
});

describe('Errors', () => {
  test('An error has what the CMS said: its errors, headers and the id of the request', async () => {
    const errors = [
      { code: 422, title: 'Unprocessable Entity', detail: `title: missing (${token})` },
      { code: 'x', detail: 'date: missing' },
    ];
    const headers = { 'x-request-id': 'r-17', 'set-cookie': 'session=1', 'x-echo': token };
    server.behave((response) => sendJson(response, 422, { errors }, headers));
    const error = await errorOf(connect().events().get(1));
    expect(error).toMatchObject({ status: 422, requestId: 'r-17' });
    expect(error.errors).toEqual([
      { code: 422, title: 'Unprocessable Entity', detail: 'title: missing ([secret])' },
      { code: undefined, title: undefined, detail: 'date: missing' },
    ]);
    expect(error.headers).toMatchObject({ 'content-type': 'application/json', 'x-echo': '[secret]' });
    expect(error.headers).not.toHaveProperty('set-cookie');
    expect(Object.keys(error)).not.toContain('headers');
  });

  test('An error without a response has no facts of one', async () => {
    server.behave((response) => response.socket?.resetAndDestroy());
    const error = await errorOf(connect({ retries: 0 }).events().get(1));
    expect(error).toMatchObject({ status: undefined, requestId: undefined, errors: [], headers: {} });
  });
});

describe('Requests that the client has no method for', () => {
  test('A request returns the data, the status and the headers of its response', async () => {
    server.behave((response) => sendJson(response, 200, { categories: [1] }, { 'x-request-id': 'r-1' }));
    const query = { kind: 'a b', page: 2, none: undefined };
    const result = await connect().request({ path: 'calendar/categories', query });
    expect(result).toMatchObject({ status: 200, requestId: 'r-1', data: { categories: [1] } });
    expect(result.headers['content-type']).toBe('application/json');
    await connect().request({ method: 'PUT', path: 'calendar/categories/1', body: { title: 'Music' } });
    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/api/v1/calendar/categories?kind=a+b&page=2', body: '' },
      { method: 'PUT', url: '/api/v1/calendar/categories/1', body: '{"title":"Music"}' },
    ]);
    expect(server.requests[1]!.headers).toMatchObject({ authorization: `Bearer ${token}` });
  });

  test('A request is repeated by the same rules, and has the same errors', async () => {
    server.behave((response) => sendJson(response, 503, {}));
    await errorOf(connect().request({ path: 'x' }));
    expect(server.requests).toHaveLength(3);
    const error = await errorOf(connect().request({ method: 'POST', path: 'x', body: {} }));
    expect(error).toMatchObject({ code: 'FF_CMS_SERVER', ambiguous: true });
    expect(server.requests).toHaveLength(4);
  });

  test.each(['', '/etc', '//evil.example/x', '../admin', 'a/../../b', 'a/%2e%2E/b', 'a?b=1', 'a#b', 'a b', 'a\\..\\b'])(
    'The path %j is refused',
    async (path) => {
      server.behave((response) => sendJson(response, 200, {}));
      await expect(connect().request({ path })).rejects.toMatchObject({ code: 'FF_CONFIG_INVALID' });
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe('The header of the token', () => {
  test('The token is sent alone in the header that is named, and in no other', async () => {
    server.behave((response) => sendJson(response, 200, { id: 1 }));
    await connect({ auth: { header: 'admin_api_key' } })
      .events()
      .get(1);
    expect(server.requests[0]!.headers).toMatchObject({ admin_api_key: token });
    expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  test.each(['', 'two words', 'x:y', 'Host', 'content-length', 'accept'])('The header %j is refused', (header) => {
    expect(() => connect({ auth: { header } })).toThrow(expect.objectContaining({ code: 'FF_CONFIG_INVALID' }));
  });
});
