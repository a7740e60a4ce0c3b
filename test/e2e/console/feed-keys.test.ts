import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { runHere } from '../run-here.ts';
import { type DraftPerson, openDraftSite } from './draft-site.ts';

const SECRET = 'Marker of/the+Key1';
const TOKEN = 'Marker/of+a-token2=';
const basic = Buffer.from(`\${CMS_API_TOKEN}:${SECRET}`).toString('base64');
const VARIABLES = {
  HTTP_EDIT_VARIABLES: [
    ...['FEED_KEY@http://keys.invalid', 'UNSET_KEY@http://keys.invalid', 'TLS_KEY@keys.invalid'],
    ...['OTHER_KEY@http://*.other.invalid', 'FEED_TOKEN@http://keys.invalid'],
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
    if (!isOpen && host === 'keys.invalid') {
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
  const read = (address: string, key: Record<string, string> = {}) => ann.post('/feeds/new', { address, ...key });
  const header = { variable: 'FEED_KEY@http://keys.invalid', place: 'header', name: 'X-Api-Key' };

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

  test.each<[string, Record<string, string>, object, (sent: Sent) => unknown]>([
    [
      'in a header',
      { place: 'header', name: 'X-Api-Key' },
      { headers: { 'X-Api-Key': '${FEED_KEY}' } },
      ({ headers }) => headers['x-api-key'] === SECRET,
    ],
    [
      'as the password of a user whose name stays a text',
      { place: 'basic', name: '${CMS_API_TOKEN}' },
      { auth: { user: '$${CMS_API_TOKEN}', password: '${FEED_KEY}' } },
      ({ headers }) => headers.authorization === `Basic ${basic}`,
    ],
    [
      'as a bearer token',
      { place: 'bearer', variable: 'FEED_TOKEN@http://keys.invalid' },
      { auth: { bearer: '${FEED_TOKEN}' } },
      ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
    ],
    [
      'in a parameter',
      { place: 'query', name: 'key' },
      { query: { key: '${FEED_KEY}' } },
      ({ url }) => new URL(url).searchParams.get('key') === SECRET,
    ],
  ])('is read with it %s, and nothing shows the key, though the feed repeats it', async (_, key, source, hasKey) => {
    const { status, location, text } = await read('http://keys.invalid/talks.csv', { ...header, ...key });
    expect(status, text).toBe(303);
    const page = await ann.get(location);
    expect(page.text).toMatch(/Variables to set .*<code>FEED_(KEY|TOKEN)<\/code>/);
    const plan = await ann.post(`${location}/plan`, {});
    expect(plan.text).toMatch(/Would be created<\/dt><dd>2 items/);
    expect(plan.text).toContain('Maps ***');
    const files = await Promise.all(
      ['sync.yaml', 'tests.yaml', 'files.patch'].map(async (name) => (await ann.get(`${location}/${name}`)).text),
    );
    expect(parse(files[0] ?? '').source).toMatchObject(source);
    const corrected = await ann.post(location, {
      line: 'title',
      how: 'rule',
      value: '{ template: "{{ name }} ${FEED_KEY}" }',
    });
    expect(corrected.status, corrected.text).toBe(303);
    const after = await Promise.all([ann.get(location), ann.get('/feeds/new'), ann.get(`${location}/sync.yaml`)]);
    const shown = [page, plan, corrected, ...after].map((one) => one.text);
    const kept = key.place === 'bearer' ? TOKEN : SECRET;
    for (const part of [kept, encodeURIComponent(kept), basic]) {
      for (const one of [...shown, ...files, opened.log()]) expect(one).not.toContain(part);
    }
    expect(network.requests.every(hasKey)).toBe(true);
    expect(network.requests.length).toBeGreaterThan(1);
  });

  test.each(['/away', '/paged'])('The key does not follow %s to another host', async (path) => {
    for (const place of ['header', 'basic', 'query']) {
      await read(`http://keys.invalid${path}`, { ...header, place });
    }
    const elsewhere = network.requests.filter(({ url }) => url.startsWith('http://evil.invalid/'));
    expect(elsewhere).not.toEqual([]);
    for (const part of ['Marker', encodeURIComponent(SECRET), basic]) {
      expect(JSON.stringify(elsewhere)).not.toContain(part);
    }
    const names = elsewhere.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => /auth|key|cookie/.test(name))).toEqual([]);
  });

  test('A refusal says which variables there are for the host, or what has to be listed', async () => {
    const { status, text } = await read('http://keys.invalid/talks.csv');
    expect([status, text]).toEqual([
      422,
      expect.stringMatching(/header X-Api-Key.*Choose a variable for this host: FEED_KEY, FEED_TOKEN\./),
    ]);
    const wrong = await read('http://keys.invalid/talks.csv', { ...header, name: 'X-Other' });
    expect(wrong.text).toContain('did not accept the variable');
    expect(wrong.text).toMatch(
      /<details[^>]* open>.*<option value="FEED_KEY@http:..keys.invalid" selected>.*value="X-Other"/s,
    );
    const unlisted = await read('https://keys.invalid:8443/', header);
    expect(unlisted.text).toContain('HTTP_EDIT_VARIABLES=FEED_KEY@keys.invalid:8443');
    expect(wrong.text).not.toContain(SECRET);
  });

  test('Only variables that are set are offered', async () => {
    const { text } = await ann.get('/feeds/new');
    expect([...text.matchAll(/<option value="(\w+)@/g)].map(([, name]) => name)).toEqual([
      ...['FEED_KEY', 'TLS_KEY', 'OTHER_KEY', 'FEED_TOKEN'],
    ]);
  });

  test.each<[string, string, Record<string, string>]>([
    ['a variable of the target', 'http://keys.invalid/', { variable: 'CMS_API_TOKEN@http://keys.invalid' }],
    ['a variable by its name alone', 'http://keys.invalid/', { variable: 'FEED_KEY' }],
    ['a reference', 'http://keys.invalid/', { variable: '${FEED_KEY}' }],
    ['an unset variable', 'http://keys.invalid/', { variable: 'UNSET_KEY@http://keys.invalid' }],
    ['a variable of another host', 'http://keys.invalid/', { variable: 'OTHER_KEY@http://*.other.invalid' }],
    ['a variable for TLS without it', 'http://keys.invalid/', { variable: 'TLS_KEY@keys.invalid' }],
    ['a host that begins the same', 'http://keys.invalid.evil.invalid/', {}],
    ['a host that ends the same', 'http://evil-keys.invalid/', {}],
    ['another port', 'http://keys.invalid:81/', {}],
    ['a host as a user', 'http://keys.invalid@evil.invalid/', {}],
    ['a host as a user of webcal', 'webcal://keys.invalid@evil.invalid/', {}],
    ['a host after a backslash', 'http://evil.invalid\\@keys.invalid/', {}],
    ['a host in the path', 'http://evil.invalid/http://keys.invalid/', {}],
    ['a variable as the host', 'http://${FEED_KEY}.keys.invalid/', {}],
    ['two headers', 'http://keys.invalid/', { name: 'X-A: 1\r\nX-B' }],
    ['a line feed', 'http://keys.invalid/', { name: 'X-A\nX-B' }],
    ['a colon', 'http://keys.invalid/', { name: 'X-A:' }],
    ['another variable as a header', 'http://keys.invalid/', { name: '${CMS_API_TOKEN}' }],
    ['another variable as a parameter', 'http://keys.invalid/', { place: 'query', name: 'a=${CMS_API_TOKEN}&b' }],
    ['a user with a colon', 'http://keys.invalid/', { place: 'basic', name: 'a:b' }],
    ['a user with a line feed', 'http://keys.invalid/', { place: 'basic', name: 'a\nb' }],
    ['no name', 'http://keys.invalid/', { name: ' ' }],
    ['a very long name', 'http://keys.invalid/', { name: 'x'.repeat(5000) }],
    ['an unknown place', 'http://keys.invalid/', { place: 'body' }],
    ['a prototype', 'http://keys.invalid/', { place: 'query', name: '__proto__' }],
    ...['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Cookie', 'Upgrade', 'Expect', 'TE'].map(
      (name): [string, string, Record<string, string>] => [`the header ${name}`, 'http://keys.invalid/', { name }],
    ),
    ...['Proxy-Authorization', 'X-Forwarded-For', 'Range', 'If-None-Match', '__proto__'].map(
      (name): [string, string, Record<string, string>] => [`the header ${name}`, 'http://keys.invalid/', { name }],
    ),
  ])('%s is refused, and nothing is sent', async (_, address, key) => {
    const { status, text } = await read(address, { ...header, ...key });
    expect([400, 422], text).toContain(status);
    expect(text).not.toMatch(/Marker/);
    expect(network.requests).toEqual([]);
  });

  test.each(['/?open=${FEED_KEY}', '/${FEED_KEY}?open', '/?open=${CMS_API_TOKEN:-x}', '/?open#${FEED_KEY:-x}'])(
    'Variables in the address %s stay a text',
    async (path) => {
      const { status, location, text } = await read(`http://keys.invalid${path}`);
      expect(status, text).toBe(303);
      const { text: file } = await ann.get(`${location}/sync.yaml`);
      expect(file).not.toContain('${');
      expect(JSON.stringify(network.requests)).not.toContain('Marker');
      expect(JSON.stringify(network.requests)).not.toContain(opened.site.variables.CMS_API_TOKEN);
    },
  );

  test('No rule, and no other delimiter, takes the key apart', async () => {
    const { location } = await read('http://keys.invalid/talks.csv', header);
    const apart = "{ template: \"{{ name | split: '' | join: '-' }}\" }";
    expect((await ann.post(location, { line: 'title', how: 'rule', value: apart })).status).toBe(303);
    const plan = await ann.post(`${location}/plan`, {});
    expect(plan.text).toContain('S-h-i-p-s');
    expect([plan.text, (await ann.get(location)).text].join()).not.toContain('M-a-r-k');
    const other = await ann.post(location, { line: 'source.delimiter', how: 'rule', value: '/' });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('repeats its key')]);
  });

  test('A variable that the server may receive is not available in other places', async () => {
    const { location } = await read('http://keys.invalid/talks.csv', header);
    for (const [line, value] of [
      ['source.headers', '{ X: "${FEED_KEY}" }'],
      ['source.query', '{ q: "${FEED_KEY}" }'],
      ['source.url', 'https://evil.invalid/${FEED_KEY}'],
      ['source.allowPrivateNetwork', 'true'],
    ] as const) {
      expect((await ann.post(location, { line, how: 'rule', value })).status).toBe(422);
    }
    expect((await ann.post(`${location}/take-back`, { line: 'source.headers' })).status).toBe(303);
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
