import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import type { Finished } from '../feedferry.ts';
import { runHere } from '../run-here.ts';

// A marker for each secret. All of them are really sent; none of them may be seen.
const secrets = {
  FEED_KEY: 'MarkerOfTheKey/1+',
  FEED_PASSWORD: 'MarkerOfThePassword2',
  FEED_TOKEN: 'MarkerOfTheToken3',
  CMS_API_TOKEN: 'MarkerOfTheCms4',
};
const basic = Buffer.from(`reader:${secrets.FEED_PASSWORD}`).toString('base64');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that keeps the requests it gets. */
async function serve(answer: Answer): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Two pages of events for requests with the right header, in which the server repeats what it was sent. */
function pagesFor(isRight: (request: IncomingMessage) => boolean, secret = ''): Answer {
  return (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const sent = [request.url, ...Object.values(request.headers)].join(' ');
    if (!isRight(request)) {
      response.setHeader('www-authenticate', 'Basic realm="Events of the town"');
      // The shown part of the text ends in a secret.
      const filling = 'x'.repeat(Math.max(0, 175 - sent.indexOf('Marker')));
      response.writeHead(401).end(`<html><style>p{}</style><p>No access with ${filling}${sent}</p></html>`);
      return;
    }
    const first = url.searchParams.get('page') === '2' ? 3 : 1;
    const events = [first, first + 1].map((id) => ({
      ...{ id: `E${id}`, title: `Talk ${id}`, start: `2027-03-0${id}T18:00:00`, note: `Asked with ${sent}` },
      ...{ link: `https://example.org/${id}?key=${encodeURIComponent(secret)}` },
    }));
    url.searchParams.set('page', '2');
    const next = first === 1 ? { next: `${url.pathname}${url.search}` } : {};
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ total: 4, events, ...next }));
  };
}

/** The texts of all files below a folder, except `.env`. */
function filesIn(dir: string): string {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  return names.flatMap((name) => (name === '.env' ? [] : [readFileSync(join(dir, name), 'utf8')])).join('\n');
}

function expectNoSecret(dir: string, { stdout, stderr }: Finished): void {
  const all = [stdout, stderr, filesIn(dir)].join('\n');
  for (const secret of [...Object.values(secrets), basic]) {
    for (const spelling of [secret, encodeURIComponent(secret)]) expect(all).not.toContain(spelling.slice(0, 9));
  }
}

const env = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
const folder = () => folderOf({ '.env': env.join('') });
const init = (dir: string, ...args: string[]) => runHere(['init', '--yes', ...args], {}, dir);
const sync = (dir: string) => readFileSync(join(dir, 'config/syncs/events.yaml'), 'utf8');

describe('init reads a feed, and its further pages, with', () => {
  test.each([
    [
      'a header',
      ['--header', 'X-Api-Key: ${FEED_KEY}', '--header', 'Accept: application/json'],
      secrets.FEED_KEY,
      (request: IncomingMessage) => request.headers['x-api-key'] === secrets.FEED_KEY,
      'headers: { X-Api-Key: "${FEED_KEY}", Accept: application/json }',
    ],
    [
      'a user name and a password',
      ['--auth', 'reader:${FEED_PASSWORD}'],
      secrets.FEED_PASSWORD,
      (request: IncomingMessage) => request.headers.authorization === `Basic ${basic}`,
      'auth: { user: reader, password: "${FEED_PASSWORD}" }',
    ],
    [
      'a token',
      ['--auth', 'bearer ${FEED_TOKEN}'],
      secrets.FEED_TOKEN,
      (request: IncomingMessage) => request.headers.authorization === `Bearer ${secrets.FEED_TOKEN}`,
      'auth: { bearer: "${FEED_TOKEN}" }',
    ],
  ])('%s', async (_, options, secret, isRight, line) => {
    const { url, requests } = await serve(pagesFor(isRight, secret));
    const dir = folder();
    const finished = await init(dir, `${url}/events`, ...options);
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    expect(requests.filter(isRight)).toHaveLength(requests.length);
    expect(requests.map((request) => request.url)).toContain('/events?page=2');
    expect(finished.stdout).toMatch(/: 4 records/);
    expect(sync(dir)).toContain(line);
    expect(sync(dir)).toContain('pages:');
    expectNoSecret(dir, finished);
    expectNoSecret(dir, await init(dir, `${url}/events`, '--json', '--force', ...options));
    const preview = await runHere(['preview', 'events', '--json'], {}, dir);
    expect(preview.stdout.trimEnd().split('\n')).toHaveLength(4);
    expect((await runHere(['test'], {}, dir)).stdout).toContain('0 failed');
  });

  test('a variable in the address', async () => {
    const isRight = ({ url }: IncomingMessage) => url?.includes(`key=${secrets.FEED_KEY}`) ?? false;
    const { url } = await serve(
      pagesFor((request) => isRight(request) || request.url?.includes('%2F1%2B') === true, secrets.FEED_KEY),
    );
    const dir = folder();
    const finished = await init(dir, `${url}/events?key=\${FEED_KEY}`);
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    expect(sync(dir)).toContain(`url: ${url}/events?key=\${FEED_KEY}`);
    expectNoSecret(dir, finished);
    expect((await runHere(['validate'], {}, dir)).exitCode).toBe(0);
  });

  test('an address in a variable', async () => {
    const { url } = await serve(pagesFor(() => true));
    const dir = folder();
    writeFileSync(join(dir, '.env'), `FEED_URL=${url}/events\n`);
    const finished = await init(dir, '${FEED_URL}', '--name', 'events');
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    expect(sync(dir)).toContain('url: ${FEED_URL}');
  });
});

describe('A refusal by the server', () => {
  test('is shown with its realm and text, and with the option to add', async () => {
    const { url } = await serve(pagesFor(() => false));
    const dir = folder();
    const finished = await init(dir, `${url}/events`);
    expect(finished.exitCode).toBe(1);
    expect(finished.stderr).toMatch(
      /returned status 401\. Realm: Events of the town\. The server says: No access with/,
    );
    expect(finished.stderr).toContain("add to the command: --auth 'USER:${FEED_PASSWORD}'");
    expect(existsSync(join(dir, 'config'))).toBe(false);
  });

  test.each([
    ['{"message":"Missing header X-Town-Key"}', '', "--header 'X-Town-Key: ${FEED_KEY}'", 'Missing header X-Town-Key'],
    ['', 'Bearer realm="api", Basic realm="b"', "--auth 'bearer ${FEED_TOKEN}'", 'Realm: api.'],
    ['', 'Digest realm="d", nonce="x"', 'does not support Digest', 'Realm: d.'],
    ['', '', "--header 'X-Api-Key: ${FEED_KEY}', or --auth 'bearer ${FEED_TOKEN}', or --auth 'USER:", 'status 403'],
  ])('names the header or scheme that it says: %s %s', async (body, challenge, remedy, message) => {
    const { url } = await serve((_, response) => {
      if (challenge) response.setHeader('www-authenticate', challenge);
      response.writeHead(403).end(body);
    });
    const { stderr } = await init(folder(), `${url}/events`);
    expect(stderr).toContain(remedy);
    expect(stderr).toContain(message);
  });

  test.each([
    ['--header', 'X-Api-Key: ${FEED_KEY}', 'FEED_KEY'],
    ['--auth', 'reader:${FEED_PASSWORD}', 'FEED_PASSWORD'],
    ['--auth', 'bearer ${FEED_TOKEN}', 'FEED_TOKEN'],
  ])('does not show the secrets that it repeats: %s %s', async (option, value, name) => {
    const { url } = await serve(pagesFor(() => false));
    const dir = folder();
    const finished = await init(dir, `${url}/events?key=\${FEED_KEY}`, option, value);
    expect(finished.stderr).toMatch(new RegExp(`did not accept [A-Z_, ]*${name}\\.`));
    expect(finished.stderr).toContain('***');
    expectNoSecret(dir, finished);
  });
});

describe('init refuses', () => {
  test.each([
    [['--header', 'X-Api-Key: MarkerOfTheKey/1+'], "such as FEED_KEY=…, and write: --header 'X-Api-Key: ${FEED_KEY}'"],
    [['--header', 'X-Api-Key: ${FEED_KEY:-MarkerOfTheKey/1+}'], "--header 'X-Api-Key: ${FEED_KEY}'"],
    [['--header', 'MarkerOfTheKey/1+'], 'needs a name and a value'],
    [['--header', 'X-Api-Key: '], 'with single quotes'],
    [['--auth', 'me:MarkerOfThePassword2'], "--auth 'USER:${FEED_PASSWORD}'"],
    [['--auth', 'bearer MarkerOfTheToken3'], "--auth 'bearer ${FEED_TOKEN}'"],
    [['--auth', 'MarkerOfTheToken3'], 'needs a user name and a password, or a token'],
    [['--header', 'X-Api-Key: ${CMS_API_TOKEN}'], 'CMS_API_TOKEN is a variable of the target'],
    [['--auth', 'bearer ${CMS_API_TOKEN}'], 'CMS_API_TOKEN is a variable of the target'],
    [['--header', 'X-Api-Key: ${FEED_OTHER}'], 'FEED_OTHER is not set'],
  ])('%j', async (options, message) => {
    const { url, requests } = await serve((_, response) => response.end());
    const dir = folder();
    const finished = await init(dir, `${url}/events`, ...options);
    expect(finished.exitCode).toBe(2);
    expect(finished.stderr).toContain(message);
    expectNoSecret(dir, finished);
    expect(requests).toEqual([]);
  });

  test('variables of the target in an address, and those that feedferry.yaml has its token from', async () => {
    const { url, requests } = await serve((_, response) => response.end());
    const dir = folderOf({
      '.env': env.join(''),
      'config/feedferry.yaml':
        'target: { baseUrl: "https://www.example.org", token: "${FEED_TOKEN}", timezone: UTC }\n',
    });
    for (const name of ['CMS_API_TOKEN', 'FEED_TOKEN']) {
      const finished = await init(dir, `${url}/?t=\${${name}}`);
      expect(finished.stderr).toContain(`${name} is a variable of the target`);
    }
    expect(requests).toEqual([]);
  });

  test('headers for files, and for several feeds', async () => {
    const dir = folderOf({ 'a.csv': 'id,title,date\n1,Maps,2027-03-04\n', '.env': env.join('') });
    const header = ['--header', 'X-Api-Key: ${FEED_KEY}'];
    expect((await init(dir, 'a.csv', ...header)).stderr).toContain('are for feeds with an address');
    expect((await init(dir, 'a.csv', 'b.csv', ...header)).stderr).toContain('is for one feed');
  });

  test('a password in an address, with the option to use', async () => {
    const { stderr } = await init(folder(), `https://me:${secrets.FEED_PASSWORD}@example.org/x.ics`);
    expect(stderr).toContain("--auth 'USER:${FEED_PASSWORD}'");
    expect(stderr).not.toContain(secrets.FEED_PASSWORD);
  });
});

test('A correction has no variables: they are only in what --header, --auth and the address have', async () => {
  const { url } = await serve(pagesFor(() => true));
  const dir = folder();
  const header = ['--header', 'X-Api-Key: ${FEED_KEY}'];
  const set = ['--set', 'source.headers: { X: "${CMS_API_TOKEN}" }', '--set', 'source.query: { t: "${FEED_KEY}" }'];
  const finished = await init(dir, `${url}/events`, ...header, ...set);
  expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
  expect(sync(dir)).toContain('headers: { X: "$${CMS_API_TOKEN}" }');
  expect(sync(dir)).toContain('query: { t: "$${FEED_KEY}" }');
});

test('A key that is written into the address is a warning', async () => {
  const { url } = await serve(pagesFor(() => true));
  const { stderr } = await init(folder(), `${url}/events?api_key=a1b2c3d4e5&page=1`);
  expect(stderr).toContain('The address has a secret, api_key, which the sync file shows.');
  expect(stderr).toContain('write ?api_key=${FEED_KEY}');
});

test('With --yes, init opens a private address that is given, and says so', async () => {
  const { url } = await serve(pagesFor(() => true));
  const { stderr } = await init(folder(), `${url}/events`);
  expect(stderr).toMatch(/Warning: http:\/\/127\.0\.0\.1:\d+\/events is in a private network\. It was opened because/);
});
