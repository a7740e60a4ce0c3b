import { describe, expect, test } from 'vitest';
import { readFeeds } from '../../../../src/feed/open.ts';
import { local, openFeed, textOf } from '../../../support/feeds.ts';
import { serve } from '../server.ts';

describe('A request', () => {
  test.each([
    [{ bearer: 't0ken' }, 'Bearer t0ken'],
    [{ user: 'me', password: 'pä ss:' }, `Basic ${Buffer.from('me:pä ss:').toString('base64')}`],
  ])('sends the configured credentials instead of those in the URL', async (auth, authorization) => {
    const { url, seen } = await serve((_, response) => response.end('a,b'));
    await textOf(await openFeed(url.replace('//', '//other:one@'), { ...local, auth }));
    expect(seen[0]?.headers.authorization).toBe(authorization);
  });

  test('adds the query parameters that the URL does not have', async () => {
    const { url, seen } = await serve((_, response) => response.end('a,b'));
    const feed = await openFeed(`${url}/x?a=1`, { ...local, query: { a: '2', 'key ': 'ä&' } });
    expect(seen[0]?.url).toBe('/x?a=1&key+=%C3%A4%26');
    expect(feed.location).toBe(`${url}/x?a=***&key%20=***`);
  });

  test('sends method and body, with a matching content type', async () => {
    const { url, seen } = await serve((_, response) => response.end('a,b'));
    const post = { ...local, method: 'POST' as const };
    await openFeed(url, { ...post, body: '{"a":1}' });
    await openFeed(url, { ...post, body: 'a=1' });
    await openFeed(url, { ...post, body: '<a/>', headers: { 'Content-Type': 'text/xml' } });
    expect(seen.map(({ method, body, headers }) => [method, body, headers['content-type']])).toEqual([
      ['POST', '{"a":1}', 'application/json'],
      ['POST', 'a=1', 'application/x-www-form-urlencoded'],
      ['POST', '<a/>', 'text/xml'],
    ]);
  });
});

describe('A redirect', () => {
  test('to another host carries no credentials, headers or body', async () => {
    const site = await serve((request, response) => {
      if (request.url !== '/here') response.end('a,b');
      else response.writeHead(302, { location: `${site.otherUrl}/there` }).end();
    });
    const personal = { auth: { bearer: 's3cret' }, headers: { 'X-Key': 's3cret', Cookie: 's3cret' }, body: 's3cret' };
    expect(await textOf(await openFeed(`${site.url}/here`, { ...local, ...personal, method: 'POST' }))).toBe('a,b');
    const [here, there] = site.seen;
    expect(JSON.stringify(here)).toContain('s3cret');
    expect(JSON.stringify(there)).not.toContain('s3cret');
    expect(there).toMatchObject({ method: 'GET', url: '/there', body: '' });
  });

  test('with status 307 carries the body on the same host only', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(307, { location: '/b' }).end();
      else if (request.url === '/c') response.writeHead(308, { location: `${site.otherUrl}/d` }).end();
      else response.end('a,b');
    });
    const post = { ...local, method: 'POST' as const, body: 'x=1' };
    await openFeed(`${site.url}/a`, post);
    expect(site.seen.map(({ url, method, body }) => [url, method, body])).toEqual([
      ['/a', 'POST', 'x=1'],
      ['/b', 'POST', 'x=1'],
    ]);
    await expect(openFeed(`${site.url}/c`, post)).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: expect.stringContaining('not sent there'),
    });
    expect(site.seen.map(({ url }) => url)).not.toContain('/d');
  });
});

describe('A page that sets a cookie before it redirects to itself', () => {
  const wall = () =>
    serve((request, response) => {
      if (request.headers.cookie?.includes('ok=1')) response.end('a,b');
      else response.writeHead(302, { location: '/feed', 'set-cookie': ['ok=1; Path=/; HttpOnly', 'b=2'] }).end();
    });

  test('is named, and the remedy opens the feed', async () => {
    const { url } = await wall();
    await expect(openFeed(`${url}/feed`, local)).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: expect.stringContaining('sets the cookie ok'),
      remedy: expect.stringContaining('`cookies: true`'),
    });
    expect(await textOf(await openFeed(`${url}/feed`, { ...local, cookies: true }))).toBe('a,b');
  });

  test('gets its cookies on further pages, with those of the config; other hosts and readings do not', async () => {
    const { url, otherUrl, seen } = await wall();
    const options = { ...local, cookies: true, headers: { Cookie: 'own=3' } };
    const feed = await openFeed(`${url}/feed`, options);
    await feed.follow('/page');
    await feed.follow(`${otherUrl}/page`).catch(() => undefined);
    await openFeed(`${url}/again`, options);
    const cookies = seen.map(({ headers }) => headers.cookie);
    expect(cookies.slice(0, 4)).toEqual(['own=3', 'own=3; ok=1; b=2', 'own=3; ok=1; b=2', undefined]);
    expect(cookies.at(-2)).toBe('own=3');
  });
});

describe('A failed request', () => {
  test.each([408, 429, 500, 502, 503, 504])(
    'with status %i is retried, after the pause of Retry-After',
    async (status) => {
      const { url, seen } = await serve((_, response, before) => {
        if (before < 2) response.writeHead(status, { 'retry-after': '0' }).end();
        else response.end('a,b');
      });
      expect(await textOf(await openFeed(url, { ...local, retries: 2 }))).toBe('a,b');
      expect(seen).toHaveLength(3);
    },
  );

  test('without a response is retried', async () => {
    const { url, seen } = await serve((_, response, before) => {
      if (before === 0) response.destroy();
      else response.end('a,b');
    });
    expect(await textOf(await openFeed(url, { ...local, retries: 1 }))).toBe('a,b');
    expect(seen).toHaveLength(2);
  });

  test('reports the last failure after all retries', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(503, { 'retry-after': '0' }).end());
    await expect(openFeed(url, { ...local, retries: 1 })).rejects.toMatchObject({
      code: 'FF_FEED_STATUS',
      message: `${url}/ returned status 503.`,
    });
    expect(seen).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 410, 501])('with status %i is not retried', async (status) => {
    const { url, seen } = await serve((_, response) => response.writeHead(status).end());
    await expect(openFeed(url, { ...local, retries: 3 })).rejects.toMatchObject({ code: 'FF_FEED_STATUS' });
    expect(seen).toHaveLength(1);
  });

  test('stops waiting when it is aborted', async () => {
    const abort = new AbortController();
    const { url, seen } = await serve((_, response) => {
      response.writeHead(429, { 'retry-after': '1000' }).end(() => abort.abort());
    });
    await expect(openFeed(url, { ...local, retries: 3, signal: abort.signal })).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});

describe('A conditional request', () => {
  test('sends validators, also after redirects, and 304 means unmodified', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: `${site.otherUrl}/new` }).end();
      else if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"', 'last-modified': 'Sat, 01 Jan 2022 00:00:00 GMT' }).end('a,b');
    });
    const first = readFeeds(`${site.url}/old`, local);
    expect(await first.open()).toBe('modified');
    for await (const feed of first.feeds()) await textOf(feed);
    const { etag, lastModified } = first.receipt();
    expect({ etag, lastModified }).toEqual({ etag: '"1"', lastModified: 'Sat, 01 Jan 2022 00:00:00 GMT' });

    const second = readFeeds(`${site.url}/old`, local, { etag, lastModified });
    expect(await second.open()).toBe('unmodified');
    expect(site.seen.at(-1)?.headers).toMatchObject({ 'if-none-match': etag, 'if-modified-since': lastModified });

    const third = readFeeds(`${site.url}/old`, local, { etag: '"0"' });
    expect(await third.open()).toBe('modified');
    expect(site.seen.at(-1)?.headers['if-modified-since']).toBeUndefined();
  });

  test('is required for 304, which is an error otherwise', async () => {
    const { url } = await serve((_, response) => response.writeHead(304).end());
    await expect(openFeed(url, local)).rejects.toMatchObject({ code: 'FF_FEED_STATUS' });
  });
});

test('A feed that cannot be opened has a receipt with the reason', async () => {
  const { url } = await serve((_, response) => response.writeHead(404).end());
  const reading = readFeeds(`${url}/x?key=s3cret`, local);
  await expect(reading.open()).rejects.toMatchObject({ code: 'FF_FEED_STATUS' });
  expect(reading.receipt()).toMatchObject({
    location: `${url}/x?key=***`,
    bytes: 0,
    complete: false,
    reason: `${url}/x?key=*** returned status 404.`,
  });
});
