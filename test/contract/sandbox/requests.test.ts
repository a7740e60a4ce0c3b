import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { accounts, createEvent, eventBody, events, withSandbox } from './harness.ts';

const api = withSandbox();

/** Sends bytes and returns what comes back before the connection ends: for requests that HTTP clients do not send. */
async function rawRequest(text: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

function expectError(answer: { status: number; body: unknown }, status: number, title: string): void {
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ errors: [{ code: status, title, detail: expect.stringMatching(/\w/) }] });
}

describe('Request rules', () => {
  test.each([
    ['no Authorization', { authorization: null }, 401, 'Unauthorized'],
    ['a wrong token', { authorization: 'Bearer wrong' }, 401, 'Unauthorized'],
    ['another scheme', { authorization: 'Token x' }, 401, 'Unauthorized'],
    ['Accept: */*', { accept: '*/*' }, 400, 'Bad Request'],
    ['Accept: text/html', { accept: 'text/html' }, 400, 'Bad Request'],
  ])('A refused request: %s', async (_name, headers, status, title) => {
    expectError(await api.call('GET', events, undefined, headers), status, title);
    expectError(await api.call('GET', accounts, undefined, headers), status, title);
  });

  test('The token counts only after the word Bearer', async () => {
    for (const authorization of [`Token ${api.token}`, `bearer:${api.token}`, api.token])
      expectError(await api.call('GET', events, undefined, { authorization }), 401, 'Unauthorized');
  });

  test('A token with something before or after it, or a part of it, is a wrong one', async () => {
    const { token } = api;
    for (const wrong of [
      `${token}x`,
      `${token} x`,
      `x${token}`,
      `${token}${token}`,
      token.slice(0, -1),
      token.slice(1),
    ])
      expectError(await api.call('GET', events, undefined, { authorization: `Bearer ${wrong}` }), 401, 'Unauthorized');
  });

  test('A request without User-Agent or Accept is refused', async () => {
    const head = `GET /api/v1/calendar/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${api.token}\r\n`;
    expect(await rawRequest(`${head}Accept: application/json\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 .*User-Agent/s);
    expect(await rawRequest(`${head}User-Agent: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 .*Accept/s);
    expect(await rawRequest(`${head}User-Agent: x\r\nAccept: application/json\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('A %s needs the token and the headers, too', async (method) => {
    const before = await createEvent(api);
    const path = method === 'POST' ? events : `${events}/${before.id}`;
    const body = method === 'DELETE' ? undefined : { ...eventBody, title: 'Changed' };
    expectError(await api.call(method, path, body, { authorization: null }), 401, 'Unauthorized');
    expectError(await api.call(method, path, body, { accept: 'text/html' }), 400, 'Bad Request');
    const head = `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: application/json`;
    const content = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
    const answer = await rawRequest(`${head}\r\nAuthorization: Bearer ${api.token}\r\n${content}`);
    expect(answer).toMatch(/^HTTP\/1.1 400 .*User-Agent/s);
    expect((await api.call('GET', `${events}/${before.id}`)).body).toEqual(before);
  });

  test('The token is checked first, even on unknown paths', async () => {
    expectError(
      await api.call('GET', '/nowhere', undefined, { authorization: null, accept: null }),
      401,
      'Unauthorized',
    );
    expectError(await api.call('GET', '/nowhere'), 404, 'Not Found');
  });

  test.each(['POST', 'PUT', 'PATCH'])('A %s with a body that is not declared as JSON is a 415', async (method) => {
    const { id } = await createEvent(api);
    const path = method === 'POST' ? events : `${events}/${id}`;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await api.call(method, path, JSON.stringify(eventBody), { 'content-type': type });
      expectError(answer, 415, 'Unsupported Media Type');
    }
    expectError(await api.call(method, path), 415, 'Unsupported Media Type');
  });

  test('The Content-Type may have a charset', async () => {
    const answer = await api.call('POST', events, eventBody, { 'content-type': 'application/json; charset=utf-8' });
    expect(answer.status).toBe(201);
  });

  test.each(['{', '', '[]', '"text"', '5', 'null', '[{"title":"x"}]'])('The body %j is a 400', async (text) => {
    expectError(await api.call('POST', events, text, { 'content-type': 'application/json' }), 400, 'Bad Request');
  });

  test.each(['0', '-1', '1.5', 'abc', '999999', '99999999999999999999', '1e3', '%00'])(
    'The id %s is a 404',
    async (id) => {
      for (const method of ['GET', 'DELETE']) {
        expectError(await api.call(method, `${events}/${id}`), 404, 'Not Found');
        expectError(await api.call(method, `${accounts}/${id}`), 404, 'Not Found');
      }
      for (const method of ['PUT', 'PATCH'])
        expectError(await api.call(method, `${events}/${id}`, {}), 404, 'Not Found');
    },
  );

  test('An unsupported method is a 405 with Allow', async () => {
    const answer = await api.call('DELETE', events);
    expectError(answer, 405, 'Method Not Allowed');
    expect(answer.headers.get('allow')).toContain('POST');
    expectError(await api.call('GET', '/calendar/upload'), 405, 'Method Not Allowed');
  });
});

describe('Hostile input', () => {
  test('A body beyond the limit is a 413', async () => {
    expectError(
      await api.call('POST', events, { ...eventBody, title: 'x'.repeat(1_100_000) }),
      413,
      'Payload Too Large',
    );
  });

  test('Deep nesting is a 400, and the service continues', async () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expectError(await api.call('POST', events, deep), 400, 'Bad Request');
    expect((await api.call('GET', events)).status).toBe(200);
  });

  test.each(['{"__proto__":{"x":1}}', '{"a":{"__proto__":{}}}', '{"constructor":{"prototype":{"x":1}}}'])(
    'Keys that reach a prototype are a 400: %s',
    async (text) => expectError(await api.call('POST', accounts, text), 400, 'Bad Request'),
  );

  test('Names of inherited properties are ordinary custom attributes', async () => {
    const { body } = await api.call('POST', accounts, { toString: 'a', hasOwnProperty: 'b', valueOf: 1 });
    expect(body).toMatchObject({ toString: 'a', hasOwnProperty: 'b', valueOf: 1 });
  });

  test('Bytes that are not UTF-8, and halves of characters, are a 400', async () => {
    const bytes = Buffer.concat([Buffer.from('{"firstName":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]);
    expectError(await api.call('POST', accounts, bytes), 400, 'Bad Request');
    expectError(await api.call('POST', accounts, '{"firstName":"\\ud800"}'), 400, 'Bad Request');
  });

  test('Any other character is returned as it was sent', async () => {
    const firstName = 'Zoë 🎉 日本 \u0000\u2028 "\\';
    const { body } = await api.call('POST', accounts, { firstName });
    expect((await api.call('GET', `${accounts}/${body.id}`)).body.firstName).toBe(firstName);
  });

  test.each([
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=1e9',
    'limit=99999999999',
    'page=0',
    'page=a',
    'limit=1&limit=2',
    'startDate=2026-02-30',
    'endDate=tomorrow',
    'startDate=2026-05-04T00:00:00Z',
    'sort=a%27b',
    'sort=',
    'attributes=x',
    'attributes[a%22b]=1',
    `attributes[${'x'.repeat(90)}]=1`,
    `search=${'a+'.repeat(50)}`,
  ])('The query %s is a 400', async (query) => {
    expectError(await api.call('GET', `${events}?${query}`), 400, 'Bad Request');
  });

  test('A request that is not HTTP gets an error status and a closed connection', async () => {
    expect(await rawRequest('GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request/);
    const huge = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`;
    expect(await rawRequest(huge)).toMatch(/^HTTP\/1.1 431 /);
  });

  test('A path that is not a URL is a 400', async () => {
    const head = 'Host: x\r\nConnection: close';
    expect(await rawRequest(`GET /%ff%fe HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('Switches', () => {
  const strict = withSandbox({ switches: { missingHeader: 406, maxBodyBytes: 2048, cleared: 'null' } });

  test('Switches can change the status of missing headers, the body limit, and the form of cleared attributes', async () => {
    expectError(await strict.call('GET', events, undefined, { accept: '*/*' }), 406, 'Not Acceptable');
    const tooLong = { ...eventBody, title: 'x'.repeat(3000) };
    expectError(await strict.call('POST', events, tooLong), 413, 'Payload Too Large');
    expect(await createEvent(strict)).toMatchObject({ description: null });
    expect((await strict.call('POST', accounts, {})).body).toMatchObject({ lastName: null });
  });
});
