import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createEvent, eventBody, events, withSandbox } from './harness.ts';

describe('The limit on requests', () => {
  const perSecond = 5;
  const api = withSandbox({ switches: { requestsPerSecond: perSecond } });
  const unlimited = withSandbox();

  test('allows so many within a second, refuses the others, and says when to come again', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.call('GET', events)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(perSecond).fill(200), ...Array(7).fill(429)]);
    const [first, refused] = [
      answers.find(({ status }) => status === 200),
      answers.find(({ status }) => status === 429),
    ];
    const limits = (headers?: Headers) =>
      ['limit', 'remaining', 'reset'].map((name) => headers?.get(`ratelimit-${name}`));
    expect(limits(first?.headers)).toEqual(['5', '4', '1']);
    expect(limits(refused?.headers)).toEqual(['5', '0', '1']);
    expect(refused?.body.errors[0]).toMatchObject({ code: 429, title: 'Too Many Requests' });
    await pause(Number(refused?.headers.get('retry-after')) * 1000);
    expect((await api.call('GET', events)).status).toBe(200);
  });

  test('counts no request without the token', async () => {
    await pause(1000);
    for (let turn = 0; turn < 10; turn += 1) await api.call('GET', events, undefined, { authorization: null });
    expect((await api.call('GET', events)).headers.get('ratelimit-remaining')).toBe(String(perSecond - 1));
  });

  test('is off by default', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => unlimited.call('GET', events)));
    expect(answers.filter(({ status, headers }) => status !== 200 || headers.has('ratelimit-limit'))).toEqual([]);
  });
});

describe('Scripts of other sites (CORS)', () => {
  const origin = 'http://localhost:5173';
  const api = withSandbox({ switches: { cors: [origin] } });
  const open = withSandbox({ switches: { cors: ['*'] } });
  const closed = withSandbox();
  const preflight = (url: string, from: string) =>
    fetch(`${url}/api/v1${events}`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization',
      },
    });

  test('may ask before a request, without the token', async () => {
    const { status, headers } = await preflight(api.url, origin);
    expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([204, origin, 'Origin']);
    expect(headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(headers.get('access-control-allow-headers')).toMatch(/Accept, Authorization, Content-Type/);
    expect((await preflight(open.url, 'https://any.example')).status).toBe(204);
  });

  test('may read responses and errors', async () => {
    for (const authorization of [`Bearer ${api.token}`, null]) {
      const answer = await api.call('GET', events, undefined, { origin, authorization });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
    expect((await api.call('POST', events, eventBody, { origin })).status).toBe(201);
  });

  test('may not if their origin is not listed, nor by default', async () => {
    for (const [url, from] of [
      [api.url, 'https://other.example'],
      [closed.url, origin],
    ] as const) {
      const { status, headers } = await preflight(url, from);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([401, null]);
    }
    const { status, headers } = await closed.call('GET', events, undefined, { origin });
    expect([status, headers.has('access-control-allow-origin'), headers.has('vary')]).toEqual([200, false, false]);
  });
});

describe('/healthz', () => {
  const api = withSandbox();

  test('is public, and no request to the API', async () => {
    await createEvent(api);
    const response = await fetch(`${api.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    expect((await api.call('GET', '/_sandbox/stats')).body.total).toBe(1);
  });
});
