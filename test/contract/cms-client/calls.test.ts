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
  test('An error has what the CMS said, without secrets', async () => {
    const errors = [
      { code: 422, title: 'Unprocessable Entity', detail: `title: missing (${token})` },
      { code: 'x', detail: 'date: missing' },
    ];
    server.behave((response) => sendJson(response, 422, { errors }));
    const error = await errorOf(connect().events().get(1));
    expect(error).toMatchObject({ status: 422 });
    expect(error.errors).toEqual([
      { code: 422, title: 'Unprocessable Entity', detail: 'title: missing ([secret])' },
      { code: undefined, title: undefined, detail: 'date: missing' },
    ]);
  });

  test('An error without a response has no facts of one', async () => {
    server.behave((response) => response.socket?.resetAndDestroy());
    const error = await errorOf(connect({ retries: 0 }).events().get(1));
    expect(error).toMatchObject({ status: undefined, errors: [] });
  });
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
