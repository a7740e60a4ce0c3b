import { promises as dns } from 'node:dns';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect as connectTo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAttachmentReader } from '../../../../src/feed/attachments.ts';
import { readBeginning } from '../../../../src/feed/read-beginning.ts';
import { openFeed, textOf } from '../../../support/feeds.ts';
import { rememberedFiles } from '../../../support/remote-files.ts';
import { serve } from '../server.ts';

// Only the names of this test server are in the certificate, and only these tests trust it.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgK2N3vSSbl5798Kb1
wNayjkOia1qeH1EFBlrVG838vhGhRANCAAQH7guMYclY47qQbWFxKj+b7nn72QyG
aii2g/qkjhmvAGCjx4gTBdIarBQI4CsGn3PLX3/VkRmXs0SVG/3/v9di
-----END PRIVATE KEY-----`;
const certificate = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUegAwIBAgIUeqLa9166M9k9hguw0/7rl5zZupEwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNZmVlZHMuaW52YWxpZDAgFw0yNjExMjYxNDM3NDJaGA8yMTI2
MTEwMjE0Mzc0MlowGDEWMBQGA1UEAwwNZmVlZHMuaW52YWxpZDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABAfuC4xhyVjjupBtYXEqP5vuefvZDIZqKLaD+qSOGa8A
YKPHiBMF0hqsFAjgKwafc8tff9WRGZezRJUb/f+/12KjbTBrMB0GA1UdDgQWBBQQ
jjTkkuC527FHj+w9xVdKdsVGSDAfBgNVHSMEGDAWgBQQjjTkkuC527FHj+w9xVdK
dsVGSDAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDWZlZWRzLmludmFsaWQw
CgYIKoZIzj0EAwIDRwAwRAIgJnWZVvlyDJmS9fwjLlyaV05tOnDXW4RytEHmdOks
DOACIFSZR8anWjMP075nOCs8aizAfMFqHGMt2x1d6gJhjKAv
-----END CERTIFICATE-----`;

const NAMES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
const once = { retries: 0 };

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A proxy for which every name is the server at this address, or which refuses all requests with a status. */
async function startProxy(upstream: string, status?: number) {
  const requests: string[] = [];
  const proxy = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (status !== undefined) return void response.writeHead(status).end();
    const { pathname, search } = new URL(request.url ?? '');
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${upstream}${pathname}${search}`, { headers: { authorization }, redirect: 'manual' });
    const location = answer.headers.get('location');
    response.writeHead(answer.status, location === null ? {} : { location }).end(await answer.text());
  }).on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url}`);
    socket.on('error', () => {});
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const { port, hostname } = new URL(upstream);
    const tunnel = connectTo(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('close', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}

/** A server with the certificate of feeds.invalid, which this process trusts. */
async function serveOverTls(): Promise<string> {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  const server = createTlsServer({ key, cert: certificate }, (request, response) =>
    response.end(`url\n${request.url}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('A feed whose name only the proxy can look up is read through the proxy', () => {
  test.each(['HTTP_PROXY', 'http_proxy'])('that %s names', async (name) => {
    const { url, seen } = await serve((_, response) => response.end('a,b'));
    const proxy = await startProxy(url);
    vi.stubEnv(name, proxy.url);
    const feed = await openFeed('http://feeds.invalid/x.csv?q=1', { ...once, auth: { bearer: 't0ken' } });
    expect(await textOf(feed)).toBe('a,b');
    expect(proxy.requests).toEqual(['GET http://feeds.invalid/x.csv?q=1']);
    expect(seen[0]?.headers.authorization).toBe('Bearer t0ken');
  });

  test.each(['HTTPS_PROXY', 'https_proxy'])('that %s names, in a tunnel', async (name) => {
    const proxy = await startProxy(await serveOverTls());
    vi.stubEnv(name, proxy.url);
    expect(await textOf(await openFeed('https://feeds.invalid/x.csv', once))).toBe('url\n/x.csv');
    expect(proxy.requests).toEqual(['CONNECT feeds.invalid:443']);
  });

  test('and so is an attached file', async () => {
    const { url } = await serve((_, response) => response.end('%PDF-1.7'));
    const proxy = await startProxy(url);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const reader = createAttachmentReader(rememberedFiles());
    await using file = await reader.read({ is: 'location', location: 'http://files.invalid/a.pdf' });
    expect(file.fileName).toBe('a.pdf');
    expect(proxy.requests).toEqual(['GET http://files.invalid/a.pdf']);
  });

  test('but not if NO_PROXY names it', async () => {
    const proxy = await startProxy('http://127.0.0.1:1');
    vi.stubEnv('HTTP_PROXY', proxy.url);
    for (const name of ['NO_PROXY', 'no_proxy']) {
      vi.stubEnv(name, '.invalid');
      await expect(openFeed('http://feeds.invalid/x.csv', once)).rejects.toMatchObject({ code: 'FF_FEED_UNREADABLE' });
      vi.stubEnv(name, undefined);
    }
    expect(proxy.requests).toEqual([]);
  });
});

describe('Through a proxy, a private address', () => {
  test.each(['http://10.1.2.3/', 'http://[fd00::1]/', 'http://2130706433/', 'http://intranet/', 'http://a.internal/'])(
    'is refused: %s',
    async (address) => {
      const proxy = await startProxy('http://127.0.0.1:1');
      vi.stubEnv('HTTP_PROXY', proxy.url);
      await expect(openFeed(address, once)).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
      expect(proxy.requests).toEqual([]);
    },
  );

  test('is refused in a tunnel', async () => {
    const proxy = await startProxy('http://127.0.0.1:1');
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    await expect(openFeed('https://192.168.1.1/', once)).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
    expect(proxy.requests).toEqual([]);
  });

  test('is refused if this machine knows that a name has it', async () => {
    const proxy = await startProxy('http://127.0.0.1:1');
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const found = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    vi.spyOn(dns, 'lookup').mockImplementation((async () => found) as unknown as typeof dns.lookup);
    await expect(openFeed('http://feeds.invalid/', once)).rejects.toMatchObject({
      code: 'FF_FEED_ADDRESS',
      message: expect.stringContaining('feeds.invalid (10.0.0.7)'),
    });
    expect(proxy.requests).toEqual([]);
  });

  test('is refused if another address redirects to it', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const proxy = await startProxy(url);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    await expect(openFeed('http://feeds.invalid/', once)).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
    expect(proxy.requests).toEqual(['GET http://feeds.invalid/']);
  });

  test('is not taken for the given one if that redirects to it and their names are alike', async () => {
    const location = 'http://feeds.invalid.internal/';
    const { url } = await serve((_, response) => response.writeHead(302, { location }).end());
    const proxy = await startProxy(url);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    await expect(readBeginning('http://feeds.invalid/', once, 100)).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
    expect(proxy.requests).toEqual(['GET http://feeds.invalid/']);
  });

  test('is requested if the source allows it', async () => {
    const { url } = await serve((_, response) => response.end('a,b'));
    const proxy = await startProxy(url);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const allowed = { ...once, allowPrivateNetwork: true };
    expect(await textOf(await openFeed('http://10.1.2.3/x', allowed))).toBe('a,b');
    expect(proxy.requests).toEqual(['GET http://10.1.2.3/x']);
  });
});

describe('This machine', () => {
  test('is reached without the proxy, if the source allows it', async () => {
    const { url, otherUrl } = await serve((_, response) => response.end('a,b'));
    const proxy = await startProxy('http://127.0.0.1:1');
    vi.stubEnv('HTTP_PROXY', proxy.url);
    for (const address of [url, otherUrl]) {
      expect(await textOf(await openFeed(address, { ...once, allowPrivateNetwork: true }))).toBe('a,b');
      await expect(openFeed(address, once)).rejects.toMatchObject({ code: 'FF_FEED_ADDRESS' });
    }
    expect(proxy.requests).toEqual([]);
  });
});

describe('A proxy that refuses a request', () => {
  test.each([
    ['http', 407, 'USER:PASSWORD'],
    ['https', 407, 'USER:PASSWORD'],
    ['https', 403, 'NO_PROXY'],
  ])('is an error with a remedy: %s, status %i', async (scheme, status, remedy) => {
    const proxy = await startProxy('', status);
    vi.stubEnv(`${scheme}_proxy`, proxy.url.replace('//', '//me:hunter2@'));
    const error = await openFeed(`${scheme}://feeds.invalid/`, once).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'FF_FEED_UNREADABLE',
      message: expect.stringContaining(`the proxy refused the request with status ${status}`),
      remedy: expect.stringContaining(remedy),
    });
    expect(String(error)).not.toContain('hunter2');
  });

  test('or does not respond to it is a timeout', async () => {
    const proxy = createServer().on('connect', () => {});
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const reading = openFeed('https://feeds.invalid/', { ...once, timeoutMs: 300 });
    await expect(reading).rejects.toMatchObject({ code: 'FF_FEED_TIMEOUT' });
  });

  test('because its address is invalid is an error that does not repeat it', async () => {
    vi.stubEnv('HTTP_PROXY', 'hunter2@proxy');
    const error = await openFeed('http://feeds.invalid/', once).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FF_CONFIG_INVALID' });
    expect(String(error)).not.toContain('hunter2');
  });
});
