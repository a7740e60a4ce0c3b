import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Recorded {
  /** Method and path, such as "POST /api/v1/account/accounts". */
  operation: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A proxy that records the requests to its server. */
export interface RecordingProxy extends AsyncDisposable {
  url: string;
  requests: Recorded[];
  /** Called before a request is passed on. If it returns a response, the server does not receive the request. */
  intercept?: (request: Recorded) => Promise<{ status: number; body: string } | undefined>;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const server = createServer(async (request, response) => {
    const recorded = { operation: '', url: request.url ?? '', headers: request.headers, body: await text(request) };
    recorded.operation = `${request.method} ${request.url?.split('?')[0]}`;
    proxy.requests.push(recorded);
    const instead = await proxy.intercept?.(recorded);
    if (instead) {
      response.writeHead(instead.status, { 'content-type': 'application/json' }).end(instead.body);
      return;
    }
    const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...headers } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(recorded.body ? { body: recorded.body } : {}),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RecordingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
