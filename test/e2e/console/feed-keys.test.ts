import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { runHere } from '../run-here.ts';
import { type DraftPerson, openDraftSite } from './draft-site.ts';

const SECRET = 'Marker of/the+Key1';
const TOKEN = 'Marker/of+a-token2=';
const basic = Buffer.from(`reader:${SECRET}`).toString('base64');
const VARIABLES = {
  HTTP_EDIT_VARIABLES: [
    ...['X-Api-Key: UNSET_KEY@http://keys.invalid', 'X-Api-Key: FEED_KEY@http://keys.invalid', 'TLS_KEY@keys.invalid'],
    ...['basic reader:FEED_KEY@http://basic.invalid', '?key=FEED_KEY@http://query.invalid'],
    ...['FEED_TOKEN@http://bearer.invalid', 'X-Other: OTHER_KEY@http://*.other.invalid'],
  ].join(),
  FEED_KEY: SECRET,
  FEED_TOKEN: TOKEN,
  TLS_KEY: 'MarkerOfTls',
  OTHER_KEY: 'MarkerOfOther',
};

interface Sent {
  url: string;
  headers: IncomingHttpHeaders;
}

/** A proxy that is every server: only it can look up the names, so that feedferry does not know their addresses. */
async function startNetwork() {
  const requests: Sent[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ url, headers });
    const { pathname, searchParams, host } = new URL(url);
    const sent = [...searchParams.values(), ...Object.values(headers)].join(' ');
    const keys = [SECRET, TOKEN, basic];
    const isOpen = searchParams.has('open') || (!headers['x-other'] && keys.some((key) => sent.includes(key)));
    if (pathname === '/away') return void response.writeHead(302, { location: 'http://evil.invalid/?open' }).end();
    if (pathname === '/events') {
      return void response.end('<!doctype html><a href="/all.csv?open">All</a> <a href="/small.csv">Some</a>');
    }
    if (pathname === '/small.csv') return void response.end('id,name,when\n1,Winds,2027-03-14 18:00\n');
    if (!isOpen && host !== 'evil.invalid') {
      return void response.writeHead(401).end(JSON.stringify({ error: `No X-Api-Key in ${sent}` }));
    }
    if (pathname === '/paged') {
      const events = [1, 2].map((id) => ({ id, title: `Talk ${id}`, start: `2027-03-0${id}T18:00:00` }));
      return void response.end(JSON.stringify({ total: 4, events, next: 'http://evil.invalid/?open' }));
    }
    response.writeHead(200, { 'content-type': 'text/csv' });
    const note = `"${sent.replaceAll('"', '')} ${encodeURIComponent(sent)}"`;
    response.end(
      `id,name,when,note\n1,Maps ${headers.authorization?.slice(7) === TOKEN ? TOKEN : SECRET},2027-03-14 18:00,${note}\n2,Ships,2027-03-15 18:00,\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => server.close() };
}

describe('A feed that needs a key, in the console', () => {
  let opened: Awaited<ReturnType<typeof openDraftSite>>;
  let network: Awaited<ReturnType<typeof startNetwork>>;
  let ann: DraftPerson;
  const read = (address: string) => ann.post('/feeds/new', { address });

  beforeAll(async () => {
    network = await startNetwork();
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTPS_PROXY', 'NO_PROXY'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('HTTP_PROXY', network.url);
    opened = await openDraftSite(VARIABLES);
    ann = opened.person('ann');
  });

  beforeEach(() => {
    network.requests.length = 0;
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    network.close();
    await opened?.[Symbol.asyncDispose]();
  });

  test.each<[string, string, object, (sent: Sent) => unknown]>([
    [
      'in a header',
      'keys',
      { headers: { 'X-Api-Key': '${FEED_KEY}' } },
      ({ headers }) => headers['x-api-key'] === SECRET,
    ],
    [
      'as the password of a user',
      'basic',
      { auth: { user: 'reader', password: '${FEED_KEY}' } },
      ({ headers }) => headers.authorization === `Basic ${basic}`,
    ],
    [
      'as a bearer token',
      'bearer',
      { auth: { bearer: '${FEED_TOKEN}' } },
      ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
    ],
    [
      'in a parameter',
      'query',
      { query: { key: '${FEED_KEY}' } },
      ({ url }) => new URL(url).searchParams.get('key') === SECRET,
    ],
  ])('is read with it %s, and nothing shows the key, though the feed repeats it', async (_, host, source, hasKey) => {
    const { status, location, text } = await read(`http://${host}.invalid/talks.csv`);
    expect(status, text).toBe(303);
    await ann.post(`${location}/preview`, {});
    const plan = await ann.get(`${location}/preview`);
    expect(plan.text).toMatch(/Would be created<\/dt><dd>2 items/);
    expect(plan.text).toContain('Maps ***');
    const files = await Promise.all(
      ['sync.yaml', 'tests.yaml'].map(async (name) => (await ann.get(`${location}/${name}`)).text),
    );
    expect(parse(files[0] ?? '').source).toMatchObject(source);
    const corrected = await ann.post(location, { line: 'title', how: 'text', value: '${FEED_KEY}' });
    expect(corrected.status, corrected.text).toBe(303);
    const pages = ['', '/preview', '/save', '/sync.yaml'].map((step) => ann.get(`${location}${step}`));
    const after = await Promise.all([...pages, ann.get('/feeds/new')]);
    expect(after[2]?.text).toMatch(/Variables to set .*<code>FEED_(KEY|TOKEN)<\/code>/);
    const shown = [plan, corrected, ...after].map((one) => one.text);
    const kept = host === 'bearer' ? TOKEN : SECRET;
    for (const part of [kept, encodeURIComponent(kept), basic]) {
      for (const one of [...shown, ...files, opened.log()]) expect(one).not.toContain(part);
    }
    expect(network.requests.every(hasKey)).toBe(true);
    expect(network.requests.length).toBeGreaterThan(1);
  });

  test('A page with several feeds asks which one is meant, and plans the one that is chosen', async () => {
    const { status, location, text } = await read('http://pages.invalid/events');
    expect(status, text).toBe(303);
    const asked = await ann.get(location);
    expect(asked.text).toContain('Which feed of the page is meant?');
    expect(asked.text).toMatch(/linked on the page, csv, 1 record, first &quot;Winds&quot;/);
    expect(asked.text).toContain('>http://pages.invalid/all.csv?open<');
    const value = 'http://pages.invalid/small.csv';
    const answered = await ann.post(location, { line: 'feed of the page', how: 'answer', value: '2' });
    expect(answered.status, answered.text).toBe(303);
    expect((await ann.get(location)).text).toContain(`>${value}<`);
    await ann.post(`${location}/preview`, {});
    expect((await ann.get(`${location}/preview`)).text).toMatch(/Would be created<\/dt><dd>1 item/);
    expect(parse((await ann.get(`${location}/sync.yaml`)).text).source.url).toBe(value);
  });

  test.each(['/away', '/paged'])('The key does not follow %s to another host', async (path) => {
    for (const host of ['keys', 'basic', 'query']) await read(`http://${host}.invalid${path}`);
    const elsewhere = network.requests.filter(({ url }) => url.startsWith('http://evil.invalid/'));
    expect(elsewhere).not.toEqual([]);
    for (const part of ['Marker', encodeURIComponent(SECRET), basic]) {
      expect(JSON.stringify(elsewhere)).not.toContain(part);
    }
    const names = elsewhere.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => /auth|key|cookie/.test(name))).toEqual([]);
  });

  test.each([
    [
      'a host without a variable',
      'http://none.invalid/',
      'HTTP_EDIT_VARIABLES=X-Api-Key: FEED_KEY@http://none.invalid',
    ],
    ['a variable for TLS without it', 'http://tls.invalid/', 'HTTP_EDIT_VARIABLES='],
    ['a host that begins the same', 'http://keys.invalid.example.invalid/', 'HTTP_EDIT_VARIABLES='],
    ['a host that ends the same', 'http://bad-keys.invalid/', 'HTTP_EDIT_VARIABLES='],
    ['another port', 'http://keys.invalid:81/', 'HTTP_EDIT_VARIABLES='],
    ['a host in the path', 'http://none.invalid/http://keys.invalid/', 'HTTP_EDIT_VARIABLES='],
    ['a host after a backslash', 'http://none.invalid\\@keys.invalid/', 'HTTP_EDIT_VARIABLES='],
    ['a key that the server does not accept', 'http://a.other.invalid/', 'did not accept the key in OTHER_KEY'],
  ])('%s gets no other key, and its refusal says what to do', async (_, address, message) => {
    const { status, text } = await read(address);
    expect(status).toBe(422);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain(message);
    expect(text).not.toMatch(/Marker/);
    const sent = JSON.stringify(network.requests);
    for (const part of [SECRET, encodeURIComponent(SECRET), TOKEN, basic, 'MarkerOfTls'])
      expect(sent).not.toContain(part);
  });

  test('An address without its beginning is read, and what to do about it names no sync file', async () => {
    const { status, text } = await read('www.none.invalid/events');
    expect(status).toBe(422);
    expect(text).toMatch(
      /https:\/\/www\.none\.invalid\/events(?![\s\S]*source\.url)[\s\S]*save it, and upload the file/,
    );
  });

  test.each([
    'http://keys.invalid@evil.invalid/',
    'webcal://keys.invalid@evil.invalid/',
    'http://${FEED_KEY}.keys.invalid/',
  ])('%s is not opened at all', async (address) => {
    expect((await read(address)).status).toBe(422);
    expect(network.requests).toEqual([]);
  });

  test.each(['/?open=${FEED_KEY}', '/${FEED_KEY}?open', '/?open=${CMS_API_TOKEN:-x}', '/?open#${FEED_KEY:-x}'])(
    'Variables in the address %s stay a text',
    async (path) => {
      const { status, location, text } = await read(`http://open.invalid${path}`);
      expect(status, text).toBe(303);
      const { text: file } = await ann.get(`${location}/sync.yaml`);
      expect(file).not.toContain('${');
      expect(JSON.stringify(network.requests)).not.toContain('Marker');
      expect(JSON.stringify(network.requests)).not.toContain(opened.site.variables.CMS_API_TOKEN);
    },
  );

  test('No other delimiter takes the key apart', async () => {
    const { location } = await read('http://keys.invalid/talks.csv');
    const other = await ann.post(location, { line: 'source.delimiter', how: 'setting', value: '/' });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('repeats its key')]);
  });

  test('A variable that the server may receive is not available in other places', async () => {
    const { location } = await read('http://keys.invalid/talks.csv');
    for (const line of ['source.headers', 'source.query', 'source.url', 'source.allowPrivateNetwork']) {
      expect((await ann.post(location, { line, how: 'setting', value: '${FEED_KEY}' })).status).toBe(422);
    }
    expect((await ann.post(location, { line: 'source.headers', how: 'take-back' })).status).toBe(303);
    expect(parse((await ann.get(`${location}/sync.yaml`)).text).source.headers).toEqual({ 'X-Api-Key': '${FEED_KEY}' });
  });

  test.each([
    ['is named by a secret of the config', { HOOK_KEY: 'abcdefgh' }, 'HOOK_KEY is a variable of the target'],
    ['has the token of the CMS', {}, 'FEED_KEY has the token of the target'],
  ])('The console does not start if a listed variable %s', async (_, more, message) => {
    const { site } = opened;
    const list = 'HOOK_KEY@http://keys.invalid,FEED_KEY@http://keys.invalid';
    const token = site.variables.CMS_API_TOKEN ?? '';
    const all = { HTTP_EDIT: 'draft', HTTP_EDIT_VARIABLES: list, FEED_KEY: token, ...more };
    const settings =
      'HOOK_KEY' in more ? 'alerts: { webhook: { url: "https://hook.invalid/", secret: "${HOOK_KEY}" } }\n' : '';
    const file = `${site.dir}/config/feedferry.yaml`;
    const before = readFileSync(file, 'utf8');
    site.write('feedferry.yaml', `${before}${settings}`);
    const { exitCode, stderr } = await runHere(['console', '--port', '0'], { ...site.variables, ...all });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    site.write('feedferry.yaml', before);
  });
});
