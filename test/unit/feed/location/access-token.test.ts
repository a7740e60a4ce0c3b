import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Login } from '../../../../src/feed/location/location.ts';
import { local, openFeed, readText } from '../../../support/feeds.ts';
import { folderOf } from '../../../support/folder.ts';
import { serve } from '../server.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const secret = 's3cret/ä+';

/** Issues numbered tokens at /token, and sends the feed to those who have the last one. */
function issuing(answerOf: (number: number) => object = () => ({ expires_in: 3600 })) {
  let issued = 0;
  let revoked = 0;
  const answer = ({ url, headers }: IncomingMessage, response: ServerResponse) => {
    if (url === '/token') {
      issued += 1;
      response.end(JSON.stringify({ access_token: `token-${issued}`, token_type: 'bearer', ...answerOf(issued) }));
    } else if (headers.authorization === `Bearer token-${issued}` && issued > revoked) response.end('a,b');
    else response.writeHead(401).end('Unknown token');
  };
  return { answer, revoke: () => (revoked = issued), issued: () => issued };
}

const oauth2 = (url: string, more: object = {}): Login => ({
  type: 'oauth2',
  tokenUrl: `${url}/token`,
  clientId: 'feed ferry',
  clientSecret: secret,
  ...more,
});

describe('Client credentials', () => {
  test.each([
    [
      { scope: 'read all', audience: 'https://api', resource: 'urn:x' },
      'scope=read+all&audience=https%3A%2F%2Fapi&resource=urn%3Ax',
    ],
    [{}, ''],
  ])('are sent as RFC 6749 writes them: %j', async (more, fields) => {
    const { url, seen } = await serve(issuing().answer);
    await readText(`${url}/feed`, { ...local, auth: oauth2(url, more) });
    expect(seen.map((request) => [request.method, request.url])).toEqual([
      ['POST', '/token'],
      ['GET', '/feed'],
    ]);
    const basic = Buffer.from('feed+ferry:s3cret%2F%C3%A4%2B').toString('base64');
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(seen[0]?.body).toBe(`grant_type=client_credentials${fields && `&${fields}`}`);
  });

  test('are sent in the body if the config says so', async () => {
    const { url, seen } = await serve(issuing().answer);
    await readText(`${url}/feed`, { ...local, auth: oauth2(url, { credentials: 'body' }) });
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toMatchObject({
      client_id: 'feed ferry',
      client_secret: secret,
    });
  });
});

describe('A service account', () => {
  test.each(['key', 'keyFile'])('signs an assertion with its %s', async (where) => {
    const { url, seen } = await serve(issuing().answer);
    const account = { client_email: 'me@x.example', private_key: pem, private_key_id: 'k1', token_uri: `${url}/token` };
    const [text, path] = [JSON.stringify(account), keyFile(JSON.stringify(account))];
    const auth: Login = {
      type: 'google-service-account',
      scope: 'calendar',
      subject: 'ann@x.example',
      [where]: where === 'key' ? text : path,
    };
    expect(await readText(`${url}/feed`, { ...local, auth })).toBe('a,b');
    const { grant_type: type, assertion = '' } = Object.fromEntries(new URLSearchParams(seen[0]?.body));
    expect(type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    const decoded = [header, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(decoded[0]).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    expect(decoded[1]).toMatchObject({
      iss: 'me@x.example',
      scope: 'calendar',
      aud: `${url}/token`,
      sub: 'ann@x.example',
    });
    expect(decoded[1].exp - decoded[1].iat).toBe(3600);
    const signed = verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${claims}`),
      createPublicKey(pem),
      Buffer.from(signature, 'base64url'),
    );
    expect(signed).toBe(true);
  });

  test.each([
    ['{"type":"authorized_user"}', 'has no client_email and private_key'],
    ['not JSON', 'has no client_email and private_key'],
    ['{"client_email":"a","private_key":"-----BEGIN PRIVATE KEY-----\\nabc"}', 'is not an RSA key in PEM format'],
    [ecKey(), 'is not an RSA key in PEM format'],
    [undefined, 'cannot be read: ENOENT'],
  ])('whose key is wrong is refused: %s', async (text, problem) => {
    const path = text === undefined ? '/none/key.json' : keyFile(text);
    const auth: Login = { type: 'google-service-account', scope: 'x', keyFile: path };
    const opening = readText('http://127.0.0.1:1/feed', { ...local, auth });
    await expect(opening).rejects.toMatchObject({
      code: 'FF_FEED_LOGIN',
      message: expect.stringMatching(`${path}.*${problem}`),
    });
  });
});

describe('A token', () => {
  test('is kept in this process, and requested once by requests at the same time', async () => {
    const { url, seen } = await serve(issuing().answer);
    const auth = oauth2(url);
    await Promise.all([1, 2, 3].map(() => readText(`${url}/feed`, { ...local, auth })));
    await readText(`${url}/feed`, { ...local, auth });
    expect(seen.map((request) => request.url).filter((path) => path === '/token')).toHaveLength(1);
  });

  test.each([
    [3600, 3539, 1],
    [3600, 3541, 2],
    ['100', 74, 1],
    ['100', 76, 2],
    [undefined, 1e7, 1],
    [0, 0, 2],
  ])('that ends after %s s is renewed in time: after %i s, %i were issued', async (seconds, later, count) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1e12 });
    onTestFinished(() => void vi.useRealTimers());
    const server = issuing(() => ({ expires_in: seconds }));
    const { url } = await serve(server.answer);
    const options = { ...local, auth: oauth2(url) };
    await readText(`${url}/feed`, options);
    vi.setSystemTime(1e12 + later * 1000);
    await readText(`${url}/feed`, options);
    expect(server.issued()).toBe(count);
  });

  test('that the feed refuses is renewed once, also between two pages', async () => {
    const server = issuing();
    const { url, seen } = await serve(server.answer);
    const page = await openFeed(`${url}/feed`, { ...local, auth: oauth2(url) });
    server.revoke();
    await page.follow('/feed?page=2');
    expect(seen.map((request) => request.url)).toEqual(['/token', '/feed', '/feed?page=2', '/token', '/feed?page=2']);
  });

  test('that the feed never accepts is reported, without the token', async () => {
    const { url, seen } = await serve(({ url: path, headers }, response) => {
      if (path === '/token') response.end('{"access_token":"tok-en-1","token_type":"Bearer"}');
      else response.writeHead(401).end(JSON.stringify({ message: `Not for ${headers.authorization}` }));
    });
    await expect(readText(`${url}/feed`, { ...local, auth: oauth2(url) })).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: `${url}/feed returned status 401: Not for Bearer ***.`,
      remedy: expect.stringContaining('`scope`'),
      excerpt: expect.not.stringContaining('tok-en'),
    });
    expect(seen.map((request) => request.url)).toEqual(['/token', '/feed', '/token', '/feed']);
  });

  test('is for the host of the feed only, on redirects and pages, too', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/token') response.end('{"access_token":"tok-en-2","token_type":"Bearer"}');
      else if (request.url === '/feed') response.writeHead(302, { location: `${server.otherUrl}/there` }).end();
      else response.end('a,b');
    });
    const page = await openFeed(`${server.url}/feed`, { ...local, auth: oauth2(server.url) });
    await page.follow(`${server.otherUrl}/more`);
    const sent = server.seen.map(({ url, headers }) => [url, headers.authorization?.split(' ')[0]]);
    expect(sent).toEqual([
      ['/token', 'Basic'],
      ['/feed', 'Bearer'],
      ['/there', undefined],
      ['/more', undefined],
    ]);
  });
});

describe('A log-in that fails', () => {
  const json = (status: number, body: unknown) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

  test.each([
    [json(401, { error: 'invalid_client' }), 'status 401: invalid_client.', 'credentials: body'],
    [
      json(400, { error: 'invalid_scope', error_description: `No.\n${secret} ${'x'.repeat(300)}` }),
      'invalid_scope: No. *** xxx',
      '`scope`',
    ],
    [json(200, { error: 'bad', error_description: 'Why.' }), 'issued no access token: bad: Why.', '`source.auth`'],
    [json(404, 'nothing'), 'status 404.', '`tokenUrl`'],
    [json(503, ''), 'returned status 503', '`tokenUrl`'],
    [json(302, ''), 'redirects', '`tokenUrl`'],
    [json(200, '<html>'), 'not a JSON object', '`tokenUrl`'],
    [json(200, { id_token: 'x' }), 'has no access_token. It has: id_token.', '`source.auth`'],
    [json(200, { access_token: 'a\nb' }), 'has no access_token', '`source.auth`'],
    [json(200, { access_token: 'abcdef', token_type: 'mac' }), 'type "mac"', 'bearer'],
    [json(200, 'x'.repeat(200_000)), 'more than 100000 bytes', '`source.auth`'],
    [(_: unknown, response: ServerResponse) => void response.destroy(), 'No access token for the feed', '`tokenUrl`'],
  ])('says why: %#', async (answer, problem, remedy) => {
    const { url, seen } = await serve(answer);
    const failure = await readText(`${url}/feed`, { ...local, auth: oauth2(url) }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'FF_FEED_LOGIN',
      message: expect.stringContaining(problem),
      remedy: expect.stringContaining(remedy),
    });
    expect(String(failure)).not.toMatch(/s3cret|abcdef/);
    expect(String(failure).length).toBeLessThan(400);
    // A failure is not kept.
    await readText(`${url}/feed`, { ...local, auth: oauth2(url) }).catch(() => undefined);
    expect(seen.filter((request) => request.url === '/token')).toHaveLength(2);
  });

  test.each([
    ['http://login.example.edu', {}, 'FF_FEED_LOGIN', 'is not an https:// address'],
    ['http://10.0.0.1', { allowPrivateNetwork: false }, 'FF_FEED_ADDRESS', '10.0.0.1'],
  ])('because its address is not allowed: %s', async (tokenUrl, more, code, message) => {
    const opening = readText('https://feed.example.edu/', { ...local, ...more, auth: oauth2(tokenUrl) });
    await expect(opening).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

function keyFile(text: string): string {
  return `${folderOf({ 'key.json': text })}/key.json`;
}

function ecKey(): string {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return JSON.stringify({ client_email: 'a', private_key: key.export({ type: 'pkcs8', format: 'pem' }) });
}
