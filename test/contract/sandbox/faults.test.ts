import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { createEvent, eventBody, events, withSandbox } from './harness.ts';

const api = withSandbox();
const faultsPath = '/_sandbox/faults';

async function strike(...faults: object[]): Promise<void> {
  const { status } = await api.call('PUT', faultsPath, { faults });
  expect(status).toBe(200);
}

async function count(): Promise<number> {
  return (await api.call('GET', events)).body.totalItems;
}

/** Whether each of many requests failed. */
async function pattern(seed: number): Promise<boolean[]> {
  await api.call('PUT', faultsPath, { seed, faults: [{ kind: 'error', rate: 0.5 }] });
  const failed: boolean[] = [];
  for (let turn = 0; turn < 30; turn += 1) failed.push((await api.call('GET', events)).status === 500);
  return failed;
}

afterEach(async () => {
  await api.call('DELETE', faultsPath);
});

describe('Faults', () => {
  test('A 500 before the change prevents it, and a 500 after the change keeps it', async () => {
    const before = await count();
    await strike({ kind: 'error', when: 'before', times: 1, method: 'post' });
    const first = await api.call('POST', events, eventBody);
    expect(first.status).toBe(500);
    expect(first.body.errors[0]).toMatchObject({ code: 500, title: 'Internal Server Error' });
    expect(await count()).toBe(before);
    await strike({ kind: 'error', status: 503, when: 'after', times: 1 });
    expect((await api.call('POST', events, eventBody)).status).toBe(503);
    expect(await count()).toBe(before + 1);
  });

  test('A reset before the change prevents it, and a reset after the change keeps it', async () => {
    const before = await count();
    await strike({ kind: 'reset', when: 'before', times: 1 });
    await expect(api.call('POST', events, eventBody)).rejects.toThrow();
    expect(await count()).toBe(before);
    await strike({ kind: 'reset', when: 'after', times: 1 });
    await expect(api.call('POST', events, eventBody)).rejects.toThrow();
    expect(await count()).toBe(before + 1);
  });

  test('A reset after a DELETE, whose response has no body, keeps the deletion', async () => {
    const { id } = await createEvent(api);
    await strike({ kind: 'reset', when: 'after', times: 1 });
    await expect(api.call('DELETE', `${events}/${id}`)).rejects.toThrow();
    expect((await api.call('GET', `${events}/${id}`)).status).toBe(404);
  });

  test('The fault 429 sends a Retry-After', async () => {
    await strike({ kind: 'rateLimit', retryAfter: 7, times: 1 });
    const { status, headers } = await api.call('GET', events);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
  });

  test('The fault 401 acts as if the token were revoked', async () => {
    await strike({ kind: 'unauthorized', times: 1 });
    expect((await api.call('GET', events)).status).toBe(401);
    expect((await api.call('GET', events)).status).toBe(200);
  });

  test('A list that is empty, and an item that is missing, are there again afterwards', async () => {
    const { id } = await createEvent(api);
    await strike({ kind: 'emptyList', times: 1 });
    expect((await api.call('GET', events)).body).toMatchObject({ data: [], totalItems: 0 });
    expect((await api.call('GET', events)).body.data).not.toEqual([]);
    await strike({ kind: 'itemMissing', times: 1 });
    expect((await api.call('GET', `${events}/${id}`)).status).toBe(404);
    expect((await api.call('GET', `${events}/${id}`)).status).toBe(200);
  });

  test('A list that is late lacks new items, and may count them', async () => {
    await createEvent(api);
    const total = await count();
    const late = { kind: 'lateItems', ms: 60_000 };
    await strike(late);
    expect((await api.call('GET', events)).body).toMatchObject({ data: [], totalItems: 0, pagination: { total: 0 } });
    await strike({ ...late, counted: true });
    expect((await api.call('GET', events)).body).toMatchObject({ data: [], totalItems: total, pagination: { total } });
    await strike({ ...late, ms: 0 });
    expect(await count()).toBe(total);
  });

  test('A truncated body announces its full length and sends half of it', async () => {
    await strike({ kind: 'truncate', times: 1 });
    await expect(api.call('GET', events)).rejects.toThrow();
    expect((await api.call('GET', events)).status).toBe(200);
  });

  test('A truncated body may have as many bytes as wanted, and never all', async () => {
    const whole = (await api.call('GET', events)).text;
    const received = async (bytes: number) => {
      await strike({ kind: 'truncate', bytes, times: 1 });
      const headers = { accept: 'application/json', 'user-agent': 'x', authorization: `Bearer ${api.token}` };
      const pieces: Uint8Array[] = [];
      const { body } = await fetch(`${api.url}/api/v1${events}`, { headers });
      await expect(body?.pipeTo(new WritableStream({ write: (piece) => void pieces.push(piece) }))).rejects.toThrow();
      return Buffer.concat(pieces).toString();
    };
    expect(await received(5)).toBe(whole.slice(0, 5));
    expect(await received(100_000)).toBe(whole.slice(0, -1));
  });

  test.each([
    { kind: 'latency', ms: 80, jitterMs: 20 },
    { kind: 'slowBody', ms: 80 },
  ])('The fault %j delays the response', async (fault) => {
    const { id } = await createEvent(api);
    await strike(fault);
    let isLate = false;
    setTimeout(() => {
      isLate = true;
    }, 75);
    expect((await api.call('GET', `${events}/${id}`)).body.id).toBe(id);
    expect(isLate).toBe(true);
  });

  test('Held requests are served when the faults are replaced', async () => {
    const before = await count();
    await strike({ kind: 'hold', method: 'POST', skip: 1 });
    await createEvent(api);
    const held = [createEvent(api), createEvent(api)];
    await expect.poll(async () => (await api.call('GET', '/_sandbox/stats')).body.inFlight).toBe(2);
    expect(await count()).toBe(before + 1);
    await strike({ kind: 'hold', method: 'PATCH' });
    await Promise.all(held);
    expect(await count()).toBe(before + 3);
  });

  test('Faults may be limited to some methods and paths', async () => {
    await strike({ kind: 'error', method: 'GET', path: '/api/v1/account' });
    expect((await api.call('GET', events)).status).toBe(200);
    expect((await api.call('POST', '/account/accounts', {})).status).toBe(201);
    expect((await api.call('GET', '/account/accounts')).status).toBe(500);
  });

  test.each([
    ['GET', events, '/calendar/events'],
    ['GET', `${events}/1`, '/calendar/events/:id'],
    ['POST', '/calendar/upload?attribute=x', '/calendar/upload'],
    ['GET', '/account/accounts?limit=1', '/account/accounts'],
    ['PATCH', '/account/accounts/1', '/account/accounts/:id'],
  ])('A fault may strike %s %s alone', async (method, path, route) => {
    const all = [
      '/calendar/events',
      '/calendar/events/:id',
      '/calendar/upload',
      '/account/accounts',
      '/account/accounts/:id',
    ];
    await strike(...all.filter((each) => each !== route).map((each) => ({ kind: 'error', status: 502, route: each })));
    expect((await api.call(method, path, method === 'GET' ? undefined : {})).status).not.toBe(502);
    await strike({ kind: 'error', status: 502, route });
    expect((await api.call(method, path, method === 'GET' ? undefined : {})).status).toBe(502);
  });

  test('A fault may spare the first requests, then strike some', async () => {
    await strike({ kind: 'error', route: '/calendar/events', skip: 2, times: 2 });
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) {
      statuses.push((await api.call('GET', events)).status);
      await api.call('GET', `${events}/1`);
    }
    expect(statuses).toEqual([200, 200, 500, 500, 200, 200]);
  });

  test.each([503, 200])('A maintenance page with status %i prevents the change, or comes after it', async (status) => {
    const before = await count();
    await strike({ kind: 'page', status, times: 1 });
    const { headers, ...early } = await api.call('POST', events, eventBody);
    expect(early).toMatchObject({ status, text: expect.stringContaining('<h1>We will be back soon</h1>') });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await count()).toBe(before);
    await strike({ kind: 'page', status, html: '<p>Bad gateway</p>', when: 'after', times: 1 });
    expect(await api.call('POST', events, eventBody)).toMatchObject({ status, text: '<p>Bad gateway</p>' });
    expect(await count()).toBe(before + 1);
  });

  test('A list that another fault replaces has no late items', async () => {
    const late = { kind: 'lateItems', ms: 60_000 };
    await strike({ kind: 'page', status: 200, when: 'after' }, late);
    expect((await api.call('GET', events)).text).toContain('<h1>');
    await strike({ kind: 'error', status: 503, when: 'after' }, late);
    expect((await api.call('GET', events)).body.errors[0].code).toBe(503);
  });

  test('Faults with the same seed are the same, and keep their rate', async () => {
    const first = await pattern(7);
    expect(await pattern(7)).toEqual(first);
    expect(await pattern(8)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([true, false]));
  });

  test('A fault plan can be read back, and an invalid one is a 422 that changes nothing', async () => {
    await strike({ kind: 'latency', ms: 0 });
    for (const bad of [{ kind: 'earthquake' }, { kind: 'error', rate: 2 }, { kind: 'latency', ms: 0, colour: 'red' }]) {
      expect((await api.call('PUT', faultsPath, { faults: [bad] })).status).toBe(422);
    }
    expect((await api.call('GET', faultsPath)).body.faults).toEqual([{ kind: 'latency', ms: 0, jitterMs: 0, rate: 1 }]);
  });

  test('The control endpoint needs the token', async () => {
    for (const path of [faultsPath, '/_sandbox/stats', '/_sandbox/nowhere']) {
      expect((await api.call('GET', path, undefined, { authorization: null })).status).toBe(401);
    }
  });
});

describe('Statistics', () => {
  test('Statistics count requests by kind and their peaks, and can be reset', async () => {
    await createEvent(api);
    await api.call('DELETE', '/_sandbox/stats');
    await strike({ kind: 'latency', ms: 300 });
    await Promise.all(Array.from({ length: 5 }, () => api.call('GET', `${events}/1`)));
    await api.call('GET', '/nowhere');
    const stats = (await api.call('GET', '/_sandbox/stats')).body;
    expect(stats).toMatchObject({
      total: 6,
      requests: { 'GET /calendar/events/:id': 5, 'GET (unknown path)': 1 },
      inFlight: 0,
      peakInFlight: 5,
    });
    expect(stats.peakPerSecond).toBeGreaterThanOrEqual(5);
  });

  test('A request is in flight from its head on, even if its body is slow', async () => {
    await api.call('DELETE', '/_sandbox/stats');
    const body = JSON.stringify(eventBody);
    const head = [
      `POST /api/v1${events} HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\nAccept: application/json\r\nConnection: close`,
      `Authorization: Bearer ${api.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    ].join('\r\n');
    const sockets = Array.from({ length: 5 }, () => connect(Number(new URL(api.url).port), '127.0.0.1'));
    for (const socket of sockets) socket.write(head + body.slice(0, 9));
    while ((await api.call('GET', '/_sandbox/stats')).body.inFlight < 5);
    for (const socket of sockets) socket.write(body.slice(9));
    const answers = await Promise.all(sockets.map((socket) => text(socket)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 201 /);
    const stats = (await api.call('GET', '/_sandbox/stats')).body;
    expect(stats).toMatchObject({ total: 5, inFlight: 0, peakInFlight: 5, answers: { 201: 5 } });
  });
});
