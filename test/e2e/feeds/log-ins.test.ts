import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const secret = 's3cret-of-the-client';

/** A server that issues tokens for one request each, and a list in three pages like that of Microsoft Graph. */
async function openGraph() {
  const issued: string[] = [];
  const shown: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/token') {
      const [, given] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
        .toString()
        .split(':');
      const refusal = { error: 'invalid_client', error_description: `Who is ${given}?` };
      if (given !== secret) return void response.writeHead(401).end(JSON.stringify(refusal));
      issued.push(`t0ken-number-${issued.length + 1}`);
      return void response.end(
        JSON.stringify({ access_token: issued.at(-1), token_type: 'Bearer', expires_in: '3600' }),
      );
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!issued.includes(token) || shown.includes(token)) return void response.writeHead(401).end();
    shown.push(token);
    const page = Number(searchParams.get('$skip') ?? 0);
    const value = [
      {
        id: `E${page}`,
        subject: `Talk ${page}`,
        start: { dateTime: `2027-03-0${page + 1}T10:00:00`, timeZone: 'UTC' },
      },
    ];
    const next = page < 2 && { '@odata.nextLink': `${url}/events?$skip=${page + 1}` };
    response.end(JSON.stringify({ '@odata.context': 'events', ...next, value }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url, issued, [Symbol.asyncDispose]: close };
}

test('A feed behind a log-in is checked and read to its last page, and nothing shows its secrets', async () => {
  await using graph = await openGraph();
  await using site = await openSite(simplest);
  site.write(
    'syncs/calendar.yaml',
    `resource: events
source:
  connector: json
  url: ${graph.url}/events
  auth: { type: oauth2, tokenUrl: "${graph.url}/token", clientId: ferry, clientSecret: "\${FEED_SECRET}", scope: .default }
  items: value
  pages: { by: link, path: "['@odata.nextLink']" }
  timezone: UTC
  allowPrivateNetwork: true
key: id
map: { title: subject, start: start.dateTime }
`,
  );
  const run = async (given: string, ...args: string[]) => {
    const finished = await runHere(args, { ...site.variables, FEED_SECRET: given });
    expect(finished.shown).not.toMatch(/s3cret|t0ken/);
    return finished;
  };
  const doctor = await run(secret, 'doctor', '--json');
  expect(doctor.stdout).toContain('3 records read, 3 can be delivered');
  const synced = await run(secret, 'sync', 'calendar', '--json');
  expect(synced.json()).toMatchObject({ runs: [{ status: 'success', complete: true, counts: { created: 3 } }] });
  expect(graph.issued.length).toBeGreaterThanOrEqual(6);

  const refused = await run(`${secret}-old`, 'sync', 'calendar');
  expect(refused.exitCode).toBe(1);
  expect(refused.shown).toContain('FF_FEED_LOGIN');
  expect(refused.shown).toContain('invalid_client: Who is ***?');
});
