import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CodedError } from '../../../src/core/errors.ts';
import { fakeConsole, recordedActions } from './fake-console.ts';
import { serve } from './server.ts';

async function post(url: string, body: string, contentType = 'application/json') {
  const response = await fetch(`${url}/api/runs`, { method: 'POST', body, headers: { 'content-type': contentType } });
  return { status: response.status, text: await response.text() };
}

describe('Failures', () => {
  test('An unexpected failure shows neither its reason nor a stack', async () => {
    const overview = () => Promise.reject(new Error('secret reason'));
    const url = await serve({ console: fakeConsole({ queries: { overview } }) });
    const response = await fetch(`${url}/api/overview`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text).error.code).toBe('FF_BUG');
    expect(text).not.toMatch(/secret reason|\.ts/);
  });

  test.each([
    ['FF_SYNC_UNKNOWN', 404],
    ['FF_RUN_BUSY', 409],
    ['FF_QUEUE_UNAVAILABLE', 503],
    ['FF_CMS_TIMEOUT', 502],
    ['FF_DATA_DIR', 500],
  ] as const)('The error %s has the status %i, its message and its remedy', async (code, status) => {
    const act = () => Promise.reject(new CodedError(code, 'Told.'));
    const url = await serve({ console: fakeConsole({ act }) });
    const answer = await post(url, '{"sync":"talks"}');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({ error: { code, message: 'Told.', remedy: expect.any(String) } });
  });

  test.each([
    ['no JSON', '{', 'application/json', 400],
    ['no sync', '{}', 'application/json', 400],
    ['a form', 'sync=a', 'application/x-www-form-urlencoded', 415],
    ['an unknown key', '{"sync":"a","force":true}', 'application/json', 400],
    ['a list', '["a"]', 'application/json', 400],
    ['what a form of any website may send', '{"sync":"a"}', 'text/plain', 415],
    ['more than is read', `{"sync":"${'a'.repeat(20_000)}"}`, 'application/json', 413],
  ])('The server refuses %s', async (_, body, contentType, status) => {
    const { act } = recordedActions();
    const url = await serve({ console: fakeConsole({ act }) });
    const answer = await post(url, body, contentType);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error).toMatchObject({ code: 'FF_HTTP_REQUEST' });
  });

  test('An unknown path, or an API that is not served, is not found', async () => {
    const url = await serve();
    for (const path of ['/', '/api/runs', '/%zz', '/metrics/../../etc/passwd']) {
      const response = await fetch(`${url}${path}`);
      expect([path, [400, 404].includes(response.status)]).toEqual([path, true]);
      expect(await response.json()).toMatchObject({
        error: { code: expect.stringMatching(/FF_HTTP_(REQUEST|NOT_FOUND)/) },
      });
    }
  });

  test('A port in use is a coded error', async () => {
    const { port } = new URL(await serve());
    await expect(serve({ port: Number(port) })).rejects.toMatchObject({ code: 'FF_HTTP_LISTEN' });
  });
});

test('Responses have security headers for browsers', async () => {
  const url = await serve({ tokens: { view: 'abc' } });
  for (const path of ['/healthz', '/metrics', '/nowhere']) {
    const { headers } = await fetch(`${url}${path}`);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('The rate of responses to one address is limited, and a refusal says when to retry', async () => {
  const url = await serve({ rateCap: { requests: 3, windowMs: 60_000 } });
  const statuses = [];
  for (let count = 0; count < 4; count++) statuses.push((await fetch(`${url}/metrics`)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const refused = await fetch(`${url}/metrics`);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  expect(await refused.json()).toMatchObject({ error: { code: 'FF_HTTP_TOO_MANY' } });
});

describe('The limit of the rate', () => {
  const rateCap = { requests: 1, windowMs: 60_000 };
  const statusFrom = async (url: string, client: string, more = {}) => {
    return (await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': client, ...more } })).status;
  };

  test('counts each client of a trusted proxy, and each IPv6 network, by itself', async () => {
    const url = await serve({ rateCap, isTrustedProxy: (address) => address === '127.0.0.1' });
    const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.1', '2001:db8::1', '2001:db8:0:0:1::2', '2001:db8:0:1::1'];
    const statuses = [];
    for (const client of clients) statuses.push(await statusFrom(url, client));
    expect(statuses).toEqual([200, 200, 429, 200, 429, 200]);
    // A client cannot choose its address: only what the proxy has added counts.
    expect(await statusFrom(url, '192.0.2.99, 192.0.2.1')).toBe(429);
  });

  test('cannot be evaded by the header of a proxy that is not trusted', async () => {
    for (const isTrustedProxy of [undefined, (address: string) => address === '192.0.2.7']) {
      const url = await serve({ rateCap, isTrustedProxy });
      expect([await statusFrom(url, '192.0.2.1'), await statusFrom(url, '192.0.2.2')]).toEqual([200, 429]);
    }
  });

  test('of those who have access is not used up by others at their address, nor evaded by names', async () => {
    const url = await serve({ rateCap, tokens: { view: 'right' } });
    const basic = (user: string, token: string) => {
      return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` };
    };
    expect([await statusFrom(url, '', basic('', 'wrong')), await statusFrom(url, '', basic('', 'wrong'))]).toEqual([
      401, 429,
    ]);
    expect([await statusFrom(url, '', basic('a', 'right')), await statusFrom(url, '', basic('b', 'right'))]).toEqual([
      200, 429,
    ]);
  });

  test('holds for addresses where there is nothing', async () => {
    const url = await serve({ rateCap });
    const statuses = [(await fetch(`${url}/nowhere`)).status, (await fetch(`${url}/elsewhere`)).status];
    expect(statuses).toEqual([404, 429]);
  });
});

test('A ledger that does not respond makes the process unready within seconds', async () => {
  const url = await serve({ isReady: () => new Promise(() => {}) });
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});

test('A request that arrives too slowly is cut off', async () => {
  const url = await serve({ requestTimeoutMs: 500 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const timer = setInterval(() => socket.write('x'), 100);
  onTestFinished(() => clearInterval(timer));
  socket.on('error', () => {}).resume();
  socket.write(
    'POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
  );
  await once(socket, 'close');
});
