import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FeedServer {
  /** http://127.0.0.1:port; by the name localhost it is another host. */
  url: string;
  otherUrl: string;
  /** Every request, in order. */
  seen: Seen[];
}

/** Sends a byte every 20 ms, without end. */
export function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

/** An HTTP server of the running test; `answer` receives the number of earlier requests. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, before: number) => void,
): Promise<FeedServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const place = seen.push({ method, url, headers, body: '' }) - 1;
    const body = await text(request);
    seen[place] = { method, url, headers, body };
    answer(request, response, place);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, otherUrl: `http://localhost:${port}`, seen };
}
