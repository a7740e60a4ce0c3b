import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CmsClient, type CmsClientOptions, createCmsClient } from '../../../src/cms/client.ts';
import { type HostileServer, sendJson, startHostileServer } from './hostile-server.ts';

const MiB = 1024 * 1024;
const BYTES_PER_MS = (16 * MiB) / 1000;
const payload = { title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: { type: 'timed' } };
let server: HostileServer;
const clients: CmsClient[] = [];

beforeAll(async () => {
  server = await startHostileServer();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => server.close());

function connect(options: Partial<CmsClientOptions> = {}): CmsClient {
  const client = createCmsClient({ baseUrl: server.url, token: 't', retries: 0, ...options });
  clients.push(client);
  return client;
}

/** A TCP server that handles its connections itself. */
async function listen(handle: (socket: Socket) => void | Promise<void>): Promise<string> {
  const sockets = new Set<Socket>();
  const tcp: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    // A client that ends its connection is no failure.
    Promise.resolve(handle(socket)).catch(() => undefined);
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    tcp.close();
  });
  return `http://127.0.0.1:${(tcp.address() as { port: number }).port}`;
}

describe('Time limits', () => {
  test('The time for the response begins when an upload is sent, however slowly its server reads', async () => {
    const baseUrl = await listen(async (socket) => {
      let [bytes, head] = [0, ''];
      const startedAt = performance.now();
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        if (bytes === 0) head = chunk.toString('latin1');
        bytes += chunk.length;
        await pause(Math.max(0, startedAt + bytes / BYTES_PER_MS - performance.now()));
        const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (bytes < announced) continue;
        const body = '{"src":"/x"}';
        socket.write(`HTTP/1.1 201 Created\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      }
    });
    const content = new Blob([Buffer.alloc(80 * MiB)]);
    const call = connect({ baseUrl, timeoutMs: 2_500 }).upload('file', { fileName: 'a', mediaType: 'a/b', content });
    expect(await call).toMatchObject({ src: '/x' });
  });

  test('Interim responses do not extend the time for the response', async () => {
    const baseUrl = await listen((socket) => {
      const interim = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(interim));
    });
    const call = connect({ baseUrl, timeoutMs: 300 }).events().get(1);
    await expect(call).rejects.toMatchObject({ code: 'FF_CMS_TIMEOUT' });
  });
});

describe('Calls that wait for a connection', () => {
  test('An abort rejects a call that still waits at once, as unsent', async () => {
    const answers: Array<() => void> = [];
    server.behave((response, { incoming }) => {
      if (incoming.method === 'GET') sendJson(response, 200, { id: 1 });
      else answers.push(() => sendJson(response, 201, { id: 1 }));
    });
    const events = connect({ concurrency: 2 }).events();
    const slow = [events.create(payload), events.create(payload)];
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    const waiting = events.create(payload, { signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toMatchObject({ code: 'FF_CMS_ABORTED', ambiguous: false, mayBeApplied: false });
    expect(answers).toHaveLength(2);
    for (const answer of answers) answer();
    await Promise.all(slow);
    await connect()
      .events()
      .get(1)
      .catch(() => undefined);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  });

  test('Closing waits for the calls that were made before, and refuses later ones', async () => {
    server.behave((response, { attempt }) =>
      attempt === 1 ? response.writeHead(503).end() : sendJson(response, 200, { id: 1 }),
    );
    const client = connect({ retries: 1 });
    const call = client.events().get(1);
    const closed = client.close();
    await expect(client.events().get(2)).rejects.toMatchObject({ code: 'FF_CMS_ABORTED', mayBeApplied: false });
    expect(await call).toMatchObject({ id: 1 });
    await closed;
  });
});

describe('Answers that are not from the API', () => {
  const page = (status: number) => (response: Parameters<Parameters<HostileServer['behave']>[0]>[0]) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Maintenance</title>');

  test('A delete that gets a page instead of a response has not happened', async () => {
    server.behave(page(200));
    const call = connect().events().delete(1);
    await expect(call).rejects.toMatchObject({ code: 'FF_CMS_RESPONSE', status: 200, mayBeApplied: true });
  });

  test('A page with the status 404 says nothing about an item', async () => {
    server.behave((response, { attempt }) => (attempt === 1 ? response.writeHead(503).end() : page(404)(response)));
    const call = connect({ retries: 1 }).events().delete(1);
    await expect(call).rejects.toMatchObject({ code: 'FF_CMS_RESPONSE', status: 404, kind: 'retryable' });
    server.behave(page(404));
    await expect(connect().events().get(1)).rejects.toMatchObject({ code: 'FF_CMS_RESPONSE', mayBeApplied: false });
  });

  test('A list of millions of items without ids does not block the process for long', async () => {
    const data = `{"data":[${'{},'.repeat(3_000_000)}{}]}`;
    server.behave((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(data));
    const startedAt = process.cpuUsage();
    await expect(connect().events().page()).rejects.toMatchObject({ code: 'FF_CMS_RESPONSE' });
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(4_000);
  });
});
