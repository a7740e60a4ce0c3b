import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectTo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createCmsClient } from '../../../src/cms/client.ts';
import { type HostileServer, sendJson, startHostileServer } from './hostile-server.ts';

let cms: HostileServer;
let proxy: Server;
let proxyUrl: string;
let proxied: string[] = [];

beforeAll(async () => {
  cms = await startHostileServer();
  const { hostname, port } = new URL(cms.url);
  // Whatever name it is asked for is the CMS.
  proxy = createServer(async (request, response) => {
    proxied.push(`${request.method} ${request.url}`);
    const { pathname, search } = new URL(request.url ?? '');
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${cms.url}${pathname}${search}`, { headers: { authorization } });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).on('connect', (request, socket) => {
    proxied.push(`CONNECT ${request.url}`);
    const upstream = connectTo(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'NO_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  proxied = [];
});
afterAll(async () => {
  vi.unstubAllEnvs();
  proxy.closeAllConnections();
  proxy.close();
  await cms.close();
});

async function get(baseUrl: string) {
  const client = createCmsClient({ baseUrl, token: 't', allowHttp: true, retries: 0 });
  try {
    return await client.events().get(1);
  } finally {
    await client.close();
  }
}

test('Requests go through the proxy that the environment names', async () => {
  cms.behave((response) => sendJson(response, 200, { id: 1 }));
  vi.stubEnv('HTTP_PROXY', proxyUrl);
  expect(await get('http://cms.example.edu/site')).toMatchObject({ id: 1 });
  expect(proxied).toHaveLength(1);
  expect(proxied[0]).toMatch(/cms\.example\.edu/);
  expect(cms.requests).toMatchObject([
    { url: '/site/api/v1/calendar/events/1', headers: { authorization: 'Bearer t' } },
  ]);
});

test('A CMS on this machine, and a host that NO_PROXY names, are reached without the proxy', async () => {
  cms.behave((response) => sendJson(response, 200, { id: 1 }));
  vi.stubEnv('HTTP_PROXY', proxyUrl);
  expect(await get(cms.url)).toMatchObject({ id: 1 });
  vi.stubEnv('NO_PROXY', 'cms.invalid');
  await expect(get('http://cms.invalid')).rejects.toMatchObject({ code: 'FF_CMS_UNREACHABLE' });
  vi.stubEnv('NO_PROXY', undefined);
  expect(proxied).toEqual([]);
});

test('A proxy that refuses the connection sends nothing', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
  await expect(get('https://cms.example.edu')).rejects.toMatchObject({
    code: 'FF_CMS_UNREACHABLE',
    mayBeApplied: false,
  });
  vi.stubEnv('HTTPS_PROXY', undefined);
});

test('An address that is none is refused without repeating it', async () => {
  vi.stubEnv('HTTP_PROXY', 'hunter2@proxy');
  const call = get('http://cms.example.edu');
  await expect(call).rejects.toMatchObject({ code: 'FF_CONFIG_INVALID' });
  await expect(call).rejects.not.toThrow('hunter2');
});
