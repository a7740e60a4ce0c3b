import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { sha256 } from '../../src/core/hash.ts';
import { contentOf } from '../crash/source.ts';
import type { Trouble } from './trouble.ts';

/** Serves feeds, and any picture; answers 304 where nothing has changed. */
export interface FeedServer {
  /** Without a slash at its end. */
  url: string;
  publish(file: string, content: string, trouble: Trouble): void;
  close(): Promise<void>;
}

export async function startFeedServer(): Promise<FeedServer> {
  const feeds = new Map<string, { content: Buffer; trouble: Trouble }>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const file = basename(path);
    const feed = path.startsWith('/pictures/')
      ? { content: contentOf(file), trouble: 'none' as const }
      : feeds.get(file);
    if (!feed || feed.trouble === 'unavailable') response.writeHead(503).end();
    else if (feed.trouble === 'cut off') cutOff(feed.content, response);
    else answer(feed.content, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish: (file, content, trouble) => void feeds.set(file, { content: Buffer.from(content), trouble }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(content: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const etag = `"${sha256(content)}"`;
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, 'content-length': content.length }).end(content);
}

/** The connection breaks half-way, before the announced length. */
function cutOff(content: Buffer, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, content.length / 2), () => response.destroy());
}
