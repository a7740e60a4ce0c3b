import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Answers a request in any way it likes. `body` is the request's, whole; `attempt` counts the requests from 1. */
export type Hostility = (
  response: ServerResponse,
  request: { incoming: IncomingMessage; body: string; attempt: number },
) => void;

/** An HTTP server on loopback that behaves as badly as the test asks. */
export interface HostileServer {
  url: string;
  requests: Array<{ method: string; url: string; headers: IncomingMessage['headers']; body: string }>;
  /** Answers from now on, and forgets the requests so far. */
  behave(hostility: Hostility): void;
  close(): Promise<void>;
}

/** Starts the server on a free port. */
export async function startHostileServer(): Promise<HostileServer> {
  let answer: Hostility = (response) => response.writeHead(500).end();
  const requests: HostileServer['requests'] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) return; // the client went away
    const { method = '', url = '', headers } = incoming;
    requests.push({ method, url, headers, body });
    answer(response, { incoming, body, attempt: requests.length });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (hostility) => {
      answer = hostility;
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
