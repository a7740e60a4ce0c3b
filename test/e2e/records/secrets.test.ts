import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { type Finished, feedferry } from '../feedferry.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { farthest, openSite, queueOf, type Site } from '../site.ts';
import { storedBy } from '../stored.ts';

// One marker for every place that may hold a secret. All of them are really used; none of them may be seen again.
const secrets = {
  token: 'MarkerOfTheToken1',
  feedPassword: 'MarkerOfTheFeedPassword2',
  feedQuery: 'MarkerOfTheFeedQuery3',
  feedHeader: 'MarkerOfTheFeedHeader4',
  feedBearer: 'MarkerOfTheFeedBearer5',
  masterSecret: 'MarkerOfTheMasterSecret6',
  created: 'MarkerOfACreatedPassword7',
  refused: 'MarkerOfARefusedPassword8"\\',
  duplicated: 'MarkerOfADuplicatedPassword9',
  rejected: 'MarkerOfARejectedPassword10',
  unmapped: 'MarkerOfAnUnmappedToken11',
};
/** Appears everywhere, which proves that the places were searched. */
const seen = 'MarkerThatIsNoSecret';
const basic = Buffer.from(`reader:${secrets.feedPassword}`).toString('base64');

const people = [
  { login: 'created', first: seen, password: secrets.created, apiToken: secrets.unmapped },
  { login: 'refused', first: seen, password: secrets.refused, apiToken: secrets.unmapped },
  { login: 'duplicated', first: seen, password: secrets.duplicated, apiToken: secrets.unmapped },
  { login: 'duplicated', first: `Another ${seen}`, password: secrets.duplicated, apiToken: secrets.unmapped },
  { login: 'rejected', first: { [seen]: seen }, password: secrets.rejected, apiToken: secrets.unmapped },
];

interface FeedServer extends AsyncDisposable {
  url: string;
  isBroken: boolean;
}

/** Accepts only requests with the credentials, and repeats them in its responses when it fails. */
async function serveFeeds(): Promise<FeedServer> {
  const server = createServer((request, response) => {
    const { authorization = '' } = request.headers;
    const isReader =
      authorization === `Basic ${basic}` &&
      request.headers['x-key'] === secrets.feedHeader &&
      request.url?.includes(secrets.feedQuery);
    if (!isReader && authorization !== `Bearer ${secrets.feedBearer}`) response.writeHead(403).end();
    else if (feeds.isBroken) response.writeHead(500).end(JSON.stringify({ url: request.url, ...request.headers }));
    else if (isReader) response.end(JSON.stringify(people));
    else response.end(JSON.stringify([{ login: 'generated', first: seen }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const feeds: FeedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/people.json`,
    isBroken: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return feeds;
}

function writeSyncs(site: Site, url: string): void {
  const source = `connector: json, url: "${url}", allowPrivateNetwork: true, retries: 0`;
  site.write(
    'syncs/people.yaml',
    `resource: accounts
source: { ${source}, auth: { user: reader, password: "\${FEED_PASSWORD}" }, query: { key: "\${FEED_QUERY}" }, headers: { X-Key: "\${FEED_HEADER}" } }
key: login
map: { username: login, firstName: first, password: password }
`,
  );
  site.write(
    'syncs/robots.yaml',
    `resource: accounts
source: { ${source}, auth: { bearer: "\${FEED_BEARER}" } }
key: login
map: { username: login, firstName: first, password: { generate: true } }
`,
  );
}

/** A CMS that repeats in its complaints all that it was sent. */
function complainAboutRefused(proxy: RecordingProxy): void {
  const before = proxy.intercept;
  proxy.intercept = async (request) => {
    const detail = `${request.body} ${request.headers.authorization}`;
    if (request.body.includes('"refused"')) {
      return {
        status: 422,
        body: JSON.stringify({ errors: [{ code: 422, title: 'Unprocessable', detail }, { detail: seen }] }),
      };
    }
    return before?.(request);
  };
}

/** Commands that only read: they say the same whatever the engines are. */
const questions = [
  'validate --json',
  'preview people',
  'preview people --json',
  'plan people',
  'plan robots --json',
  'status --json',
  'rejects people',
  'rejects people --json',
  'rejects people --csv',
  'explain people created --json',
  'explain people refused',
  'explain people refused --json',
  'explain people duplicated --json',
  'explain people rejected --json',
];

/** Runs a command in this process; its log is in the result, which would otherwise go past `process.stderr`. */
async function runWithLog(args: string[], variables: Record<string, string>): Promise<Finished> {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as never;
  const spy = vi.spyOn(pino, 'destination').mockReturnValue(destination);
  try {
    const finished = await runHere(args, variables);
    return { ...finished, stderr: finished.stderr + lines.join('') };
  } finally {
    spy.mockRestore();
  }
}

describe.each(farthest)('Secrets on $ledger and $queue', (engines) => {
  const masterSecret = engines.ledger === 'postgresql' ? { FEEDFERRY_SECRET: secrets.masterSecret } : {};

  test('Secrets appear in no output, log, table, job or file', async () => {
    await using site = await openSite(engines, { token: secrets.token });
    await using proxy = await startRecordingProxy(site.sandbox.url);
    await using feeds = await serveFeeds();
    Object.assign(site.variables, {
      CMS_BASE_URL: proxy.url,
      LOG_LEVEL: 'trace',
      FEED_PASSWORD: secrets.feedPassword,
      FEED_QUERY: secrets.feedQuery,
      FEED_HEADER: secrets.feedHeader,
      FEED_BEARER: secrets.feedBearer,
      ...masterSecret,
    });
    writeSyncs(site, feeds.url);
    const queue = queueOf(proxy.url);
    const stored: Array<Record<string, string>> = [];
    const outputs: Record<string, string> = {};
    // While passwords wait to be delivered they are in the ledger.
    proxy.intercept = async ({ operation }) => {
      if (operation.startsWith('POST')) stored.push(await storedBy(site, engines, queue));
      return undefined;
    };
    complainAboutRefused(proxy);

    const keep = (args: string[], finished: Finished): Finished => {
      outputs[`${Object.keys(outputs).length} ${args.join(' ')}`] = finished.stdout + finished.stderr;
      return finished;
    };
    const run = async (...args: string[]) => keep(args, await feedferry(args, site.variables));
    const ask = async (args: string[]) => keep(args, await runWithLog(args, site.variables));
    const first = await ask(['sync', '--json']);
    // The logs of the questions are searched as this one is.
    expect(first.stderr).toContain('] DEBUG: ');
    expect(first.json()).toMatchObject({
      runs: [
        { sync: 'people', status: 'partial', counts: { read: 5, created: 1, failed: 1, rejected: 3 } },
        { sync: 'robots', status: 'success', counts: { created: 1 } },
      ],
    });
    if (engines.ledger === 'sqlite') {
      for (const question of questions) await ask(question.split(' '));
    }
    feeds.isBroken = true;
    await run('sync', '--json');
    feeds.isBroken = false;
    proxy.intercept = async ({ body, headers }) => {
      const detail = `${body} ${headers.authorization}`;
      return { status: 401, body: JSON.stringify({ errors: [{ code: 401, title: 'No', detail }] }) };
    };
    await ask(['sync', '--json']);
    stored.push(await storedBy(site, engines, queue));

    const passwords = proxy.requests.flatMap(({ body }) => (body ? (JSON.parse(body).password ?? []) : []));
    const generated = passwords.filter((password) => !Object.values(secrets).includes(password));
    expect(passwords).toEqual(expect.arrayContaining([secrets.created, secrets.refused]));
    expect(generated).toHaveLength(1);

    // Of the one with a quote in it the beginning: however it is escaped, that is the same.
    const wanted = [...Object.values(secrets).map((secret) => secret.replace(/\W.*/, '')), ...generated, basic];
    const places = [...Object.entries(outputs), ...stored.flatMap((places) => Object.entries(places))];
    const leaks = places.flatMap(([place, content]) =>
      wanted.filter((secret) => content.includes(secret)).map((secret) => `${secret} in ${place}`),
    );
    expect(leaks).toEqual([]);
    for (const haystack of [outputs, ...stored]) expect(JSON.stringify(haystack)).toContain(seen);
    expect(JSON.stringify(stored)).toContain(engines.queue === 'bullmq' ? queue : seen);
  });
});
