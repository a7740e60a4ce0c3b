import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { serve } from './server.ts';

const TOKEN = 'correct-horse-ä:battery';

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

async function statusWith(url: string, authorization?: string): Promise<number> {
  const { status } = await fetch(`${url}/metrics`, authorization ? { headers: { authorization } } : {});
  return status;
}

/** fetch would not let us choose the host name. */
async function statusAs(url: string, host: string, more = {}): Promise<number | undefined> {
  const asked = request(`${url}/metrics`, { headers: { host, ...more } }).end();
  const [response] = await once(asked, 'response');
  await text(response);
  return response.statusCode;
}

describe('Access with a token', () => {
  test('A request with the token, as Bearer token or as password of any user, is allowed', async () => {
    const url = await serve({ tokens: { approve: 'abc-123' } });
    expect(await statusWith(url, 'Bearer abc-123')).toBe(200);
    expect(await statusWith(url, 'bearer abc-123')).toBe(200);
    expect(await statusWith(url, basic('prometheus', 'abc-123'))).toBe(200);
    expect(await statusWith(url, basic('', 'abc-123'))).toBe(200);
  });

  test('A password may have a colon and letters beyond ASCII', async () => {
    const url = await serve({ tokens: { approve: TOKEN } });
    expect(await statusWith(url, basic('me', TOKEN))).toBe(200);
    expect(await statusWith(url, basic('me', `${TOKEN}x`))).toBe(401);
  });

  test.each([
    undefined,
    'Bearer',
    'Bearer abc-12',
    'Bearer abc-1234',
    'abc-123',
    'Basic abc-123',
    basic('abc-123', ''),
    `Basic ${Buffer.from('abc-123').toString('base64')}`,
    'Digest abc-123',
  ])('A request with %s is refused', async (authorization) => {
    const url = await serve({ tokens: { approve: 'abc-123' } });
    expect(await statusWith(url, authorization)).toBe(401);
  });

  test('A refusal names the scheme and not the token', async () => {
    const url = await serve({ tokens: { approve: 'abc-123' } });
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('www-authenticate')).toMatch(/Bearer .*Basic /);
    const body = await response.text();
    expect(JSON.parse(body)).toEqual({
      error: { code: 'FF_HTTP_UNAUTHORIZED', message: expect.any(String), remedy: expect.any(String) },
    });
    expect(body).not.toContain('abc-123');
  });

  test('Health is public and shows no detail', async () => {
    const isReady = () => Promise.reject(new Error('postgres://user:secret@db is gone'));
    const url = await serve({ tokens: { approve: 'abc-123' }, isReady });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'the ledger does not respond' });
  });
});

describe('Access without a token', () => {
  test.each([
    ['localhost:80', 200],
    ['127.0.0.1', 200],
    ['[::1]:8420', 200],
    ['rebound.example.org', 401],
    ['localhost.example.org', 401],
    ['127.0.0.1.example.org', 401],
  ])('A request to the host %s returns %i, so that no website can use a name of its own', async (host, status) => {
    expect(await statusAs(await serve(), host)).toBe(status);
  });

  test('A script cannot pretend to be a proxy in front of a loopback name', async () => {
    const url = await serve();
    const pretended = { 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' };
    expect(await statusAs(url, 'rebound.example.org', pretended)).toBe(401);
  });
});
