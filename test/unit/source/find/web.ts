import { promises as dns } from 'node:dns';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished, vi } from 'vitest';

// A certificate for the names in these tests, which only these tests trust.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgs8zijHrr/r/T9zd+
RgVjtFgwMOTAyNqFC6RhyAYwssyhRANCAAT6WCSijzp/X3l7MvzQYSVCyD63R0ak
X53koE6XswKqtWFVKKk4+fxWRfaLqSOtrI1cdujukJIfRgjei14ZS0Zn
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIICijCCAjCgAwIBAgIUXMyzOmXcC+fyalCmaqo2A6Z/8vUwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcGFnZXMuaW52YWxpZDAgFw0yNjExMjgyMDU0MjlaGA8yMTI2
MTEwNDIwNTQyOVowGDEWMBQGA1UEAwwNcGFnZXMuaW52YWxpZDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABPpYJKKPOn9feXsy/NBhJULIPrdHRqRfneSgTpezAqq1
YVUoqTj5/FZF9oupI62sjVx26O6Qkh9GCN6LXhlLRmejggFUMIIBUDAdBgNVHQ4E
FgQUw0VdDdjsYV4zQUIaAnu5ZnCJveUwHwYDVR0jBBgwFoAUw0VdDdjsYV4zQUIa
Anu5ZnCJveUwDwYDVR0TAQH/BAUwAwEB/zCB/AYDVR0RBIH0MIHxggwqLmdvb2ds
ZS5jb22CEGRyaXZlLmdvb2dsZS5jb22CDyoub2ZmaWNlMzY1LmNvbYIKKi5saXZl
LmNvbYIMKi50cnVtYmEuY29tghAqLmNvbGxlZ2VuZXQuY29tggwqLm1lZXR1cC5j
b22CDCoubGliY2FsLmNvbYILdG9ja2lmeS5jb22CECouZXZlbnRicml0ZS5jb22C
EyouYmlibGlvY29tbW9ucy5jb22CECouY2FtcHVzbGFicy5jb22CDiouZmFjZWJv
b2suY29tgg8qLmFsZGVyLmludmFsaWSCDyoub3RoZXIuaW52YWxpZDAKBggqhkjO
PQQDAgNIADBFAiBVxoX9NdGOAusYCG+ZkYfoBiz9JxT9JsdyqRBv2nbEfAIhAKfc
2r24avz7EJCknqgrK2gTYaV9ixrHgGyOE0TvUIMx
-----END CERTIFICATE-----`;

/** What the web of a test has: address → body, `>` and the address to which it redirects, or the status of an error. */
export type Web = Readonly<Record<string, string | number>>;

/**
 * Serves all hosts from this machine, through a proxy: only it can look up their names.
 * @returns the addresses that were requested, in order, and the headers of the requests
 */
export async function serveWeb(web: Web): Promise<{ requests: string[]; headers: IncomingHttpHeaders[] }> {
  const requests: string[] = [];
  const seen: IncomingHttpHeaders[] = [];
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  vi.spyOn(dns, 'lookup').mockRejectedValue(new Error('no network'));
  const site = createTlsServer({ key, cert }, ({ url = '', headers }, response) => {
    const address = `https://${headers.host}${url}`;
    requests.push(address);
    seen.push(headers);
    const body = web[address] ?? 404;
    if (typeof body === 'number') response.writeHead(body).end();
    else if (body.startsWith('>')) response.writeHead(302, { location: body.slice(1) }).end();
    else response.end(body);
  });
  const sockets = new Set<Duplex>();
  const proxy = createServer().on('connect', (_, socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    site.emit('connection', socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
  for (const name of ['https_proxy', 'HTTPS_PROXY'])
    vi.stubEnv(name, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    setDefaultCACertificates(before);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { requests, headers: seen };
}
