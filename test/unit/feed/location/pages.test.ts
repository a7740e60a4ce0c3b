import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../src/core/hash.ts';
import { nextLink } from '../../../../src/feed/location/next-link.ts';
import { local, openFeed, textOf } from '../../../support/feeds.ts';
import { folderOf } from '../../../support/folder.ts';
import { serve } from '../server.ts';

describe('Further pages', () => {
  test('are opened relative to their page, and count in one receipt', async () => {
    const { url, seen } = await serve((request, response) =>
      response.writeHead(200, { etag: '"1"' }).end(`page ${request.url}`),
    );
    const first = await openFeed(`${url}/api/items?page=1&size=5`, { ...local, auth: { bearer: 't' } });
    const contents = [await textOf(first)];
    const second = await first.follow({ query: { page: '2' } });
    contents.push(await textOf(second));
    const third = await second.follow('more');
    contents.push(await textOf(third));
    expect(contents).toEqual(['page /api/items?page=1&size=5', 'page /api/items?page=2&size=5', 'page /api/more']);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer t', 'Bearer t', 'Bearer t']);
    for (const feed of [first, second, third]) {
      expect(feed.receipt()).toEqual({
        location: `${url}/api/items?page=***&size=***`,
        status: 200,
        bytes: contents.join('').length,
        sha256: sha256(contents.join('')),
        charset: 'utf-8',
        durationMs: expect.any(Number),
        complete: true,
      });
    }
  });

  test('come over one connection', async () => {
    const sockets = new Set<object>();
    const { url, seen } = await serve(({ socket }, response) => {
      sockets.add(socket);
      response.end('x');
    });
    let page = await openFeed(`${url}/1`, local);
    for (let next = 2; next <= 20; next += 1) {
      await textOf(page);
      page = await page.follow(`/${next}`);
    }
    expect(seen).toHaveLength(20);
    expect(sockets.size).toBe(1);
  });

  test('of another host are requested without credentials, headers, query and body, those of the host of the feed with them', async () => {
    const site = await serve((_, response) => response.end('x'));
    const first = await openFeed(`${site.url}/1`, {
      ...local,
      auth: { user: 'me', password: 's3cret' },
      headers: { 'X-Key': 's3cret' },
      query: { key: 's3cret' },
      method: 'POST',
      body: 's3cret',
    });
    const elsewhere = await first.follow(`${site.otherUrl.replace('//', '//u:p@')}/2`);
    await elsewhere.follow('/3');
    await elsewhere.follow(`${site.url}/4?page=4`);
    const leaks = site.seen.map((request) => JSON.stringify(request).includes('s3cret'));
    expect(leaks).toEqual([true, false, false, true]);
    expect(site.seen.map(({ url, method }) => `${method} ${url}`)).toEqual([
      'POST /1?key=s3cret',
      'GET /2',
      'GET /3',
      'POST /4?page=4&key=s3cret',
    ]);
    expect(site.seen[1]?.headers.authorization).toBeUndefined();
  });

  test('make the feed incomplete if one is cut off, is not read or cannot be opened', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/broken') {
        response.writeHead(200, { 'content-length': 100 });
        response.write('half', () => response.destroy());
      } else if (request.url === '/none') response.writeHead(404).end();
      else response.end('x');
    });
    const broken = await openFeed(url, local);
    await textOf(broken);
    expect(await textOf(await broken.follow('/broken'))).toBe('half');
    expect(broken.receipt()).toMatchObject({ complete: false, bytes: 5 });
    expect(broken.receipt().reason).toMatch(new RegExp(`^${url}/broken: it was cut off after 4 bytes`));

    const unread = await openFeed(url, local);
    await textOf(unread);
    await unread.follow('/x');
    expect(unread.receipt()).toMatchObject({ complete: false, reason: `${url}/x: it was not read to the end` });

    const missing = await openFeed(url, local);
    await textOf(missing);
    await expect(missing.follow('/none')).rejects.toMatchObject({ code: 'FF_FEED_STATUS' });
    expect(missing.receipt()).toMatchObject({ complete: false, reason: expect.stringContaining('status 404') });
  });

  test('of another host that refuses them: the message says that credentials were withheld', async () => {
    const site = await serve((request, response) => {
      if (request.headers.host?.startsWith('localhost')) response.writeHead(401).end();
      else if (request.url === '/moved') response.writeHead(302, { location: `${site.otherUrl}/2` }).end();
      else response.end('x');
    });
    const first = await openFeed(`${site.url}/1`, { ...local, auth: { bearer: 't' } });
    const withheld = {
      message: expect.stringContaining(
        'It is another host than that of source.url: credentials, headers and query were not sent.',
      ),
    };
    for (const page of [`${site.otherUrl}/2`, '/moved']) {
      await expect(first.follow(page), page).rejects.toMatchObject(withheld);
    }
    const open = await openFeed(`${site.url}/1`, local);
    await expect(open.follow(`${site.otherUrl}/2`)).rejects.not.toMatchObject(withheld);
  });

  test('name a setting for the size of pages that the server may not allow', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(400).end('{"code":"rest_invalid_param","message":"Invalid parameter(s): per_page"}'),
    );
    await expect(openFeed(url, { ...local, query: { per_page: '500' } })).rejects.toMatchObject({
      message: `${url}/?per_page=*** returned status 400: Invalid parameter(s): per_page.`,
      remedy: expect.stringContaining('lower source.query.per_page, for example to 100'),
    });
    await expect(openFeed(`${url}/?limit=100`, local)).rejects.toMatchObject({
      remedy: expect.stringContaining('lower `limit` in the address (source.url), for example to 50'),
    });
  });

  test('state the reason of a refusal, in one line and without secrets', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(403);
      response.end(JSON.stringify({ error: { message: `Key\n ${request.headers['x-key']} is ${'x'.repeat(500)}` } }));
    });
    const opening = openFeed(url, { ...local, headers: { 'X-Key': 's3cret' } });
    await expect(opening).rejects.toThrow(`${url}/ returned status 403: Key *** is xxx`);
  });

  test('share one limit on bytes', async () => {
    const { url } = await serve((_, response) => response.end('x'.repeat(60)));
    const first = await openFeed(url, { ...local, maxBytes: 100 });
    await textOf(first);
    await expect(textOf(await first.follow('/2'))).rejects.toMatchObject({ code: 'FF_FEED_TOO_LARGE' });
  });

  test('never lead from the network to a file, nor into a private network', async () => {
    const { url } = await serve((_, response) => response.end('x'));
    const feed = await openFeed(url, local);
    for (const page of ['file:///etc/passwd', 'ftp://x/y', 'data:,x']) {
      await expect(feed.follow(page), page).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
    }
    const file = await openFeed(join(folderOf({ '1.json': 'one' }), '1.json'));
    await expect(file.follow(`${url}/x`)).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
  });

  test('of a file are relative to it', async () => {
    const feed = await openFeed(join(folderOf({ '1.json': 'one', '2.json': 'two' }), '1.json'));
    expect(await textOf(feed)).toBe('one');
    expect(await textOf(await feed.follow('2.json'))).toBe('two');
    expect(feed.receipt()).toMatchObject({ bytes: 6, complete: true });
    await expect(feed.follow({ query: { page: '2' } })).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
  });
});

test.each([
  ['<https://x/?page=2>; rel="next"', 'https://x/?page=2'],
  ['</1>; rel="prev", </3>; rel=next', '/3'],
  ['</a,b;c>; title="a; b, c"; rel="last next"', '/a,b;c'],
  ['</2>; rel="nextish"', undefined],
  ['</2>; anchor="a\\"b"; rel="next"', '/2'],
  ['</1>; title="x, y; <z>; rel=\\"next\\""; rel=prev, </2>; rel=next', '/2'],
  ['</1>; title="</2>; rel=next"; rel=prev', undefined],
  ['</1>; rel="x\\"next", </2>; rel=next', '/2'],
  ['</2>; title="\\\\"; rel="next"', '/2'],
  ['</2>;REL=NEXT', '/2'],
  ['</2> ; rel = "last\tNext"', '/2'],
  ['</2>; rel="prev"; rel="next"', undefined],
  [',, </2>;; rel=next; ,,', '/2'],
  ['</2>; crossorigin; rel=next', '/2'],
  ['</1>; crossorigin, </2>; rel=next', '/2'],
  ["</2>; title*=UTF-8''n%C3%A4chste; rel=next", '/2'],
  ['</2>; title*=x; rel=next', '/2'],
  ['</2>; uri=evil; __proto__=x; rel=next', '/2'],
  ['</1>; rel="https://x/next"', undefined],
  ['nothing, <, </2>; rel="next', '/2'],
  ['', undefined],
  [undefined, undefined],
])('The Link header %s names the next page %s', (header, target) => expect(nextLink(header)).toBe(target));

test('A feed has the next page from its Link header', async () => {
  const { url } = await serve((_, response) => response.writeHead(200, { link: '</2>; rel="next"' }).end('x'));
  expect((await openFeed(url, local)).nextPage).toBe('/2');
});
