import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCmsClient } from '../../../src/cms/client.ts';
import { temporaryDir } from '../../support/engines.ts';

const MiB = 1024 * 1024;
const dir = temporaryDir();
const bigFile = join(dir.path, 'big.pdf');
const servers: Array<Server | TcpServer> = [];
const file = { fileName: 'big.pdf', mediaType: 'application/pdf' };

beforeAll(() => {
  writeFileSync(bigFile, '%PDF-1.4\n');
  truncateSync(bigFile, 150 * MiB);
});
afterAll(() => {
  for (const server of servers) server.close();
  dir[Symbol.dispose]();
});

async function listen(server: Server | TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Takes an upload at its own pace and answers with the number of bytes. */
function receiver(afterChunk: (chunks: number) => Promise<void> | undefined = () => undefined): Server {
  return createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
    let [bytes, chunks] = [0, 0];
    for await (const chunk of incoming) {
      bytes += chunk.length;
      chunks += 1;
      await afterChunk(chunks);
    }
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ src: '/x', bytes }));
  });
}

// They mostly wait: together they take as long as the longest.
describe.concurrent('Uploads', () => {
  test('An upload is streamed, and memory grows by far less than the file', async ({ onTestFinished }) => {
    const baseUrl = await listen(receiver());
    const script = `
      import { openAsBlob } from 'node:fs';
      import { createCmsClient } from ${JSON.stringify(new URL('../../../src/cms/client.ts', import.meta.url).href)};
      const cms = createCmsClient({ baseUrl: '${baseUrl}', token: 't' });
      const upload = async (content) => cms.upload('file', { fileName: 'a.pdf', mediaType: 'application/pdf', content });
      await upload(new Blob(['%PDF']));
      const before = process.resourceUsage().maxRSS;
      const { bytes } = await upload(await openAsBlob(${JSON.stringify(bigFile)}));
      console.log(JSON.stringify({ bytes, grownMiB: (process.resourceUsage().maxRSS - before) / 1024 }));
      await cms.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { bytes, grownMiB } = JSON.parse(await text(child.stdout));
    expect(bytes).toBeGreaterThan(150 * MiB);
    expect(grownMiB).toBeLessThan(75);
  });

  test('A slow upload that makes progress may last longer than the time-out', async ({ onTestFinished }) => {
    const baseUrl = await listen(receiver((chunks) => (chunks % 100 === 0 ? pause(250) : undefined)));
    const client = createCmsClient({ baseUrl, token: 't', timeoutMs: 1_500 });
    onTestFinished(() => client.close());
    const startedAt = performance.now();
    const content = (await openAsBlob(bigFile)).slice(0, 75 * MiB);
    expect(await client.upload('file', { ...file, content })).toMatchObject({ src: '/x' });
    expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  });

  test('An upload that the server does not read is abandoned and ambiguous', async ({ onTestFinished }) => {
    const sockets = new Set<Socket>();
    const baseUrl = await listen(createTcpServer({ pauseOnConnect: true }, (socket) => sockets.add(socket)));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const client = createCmsClient({ baseUrl, token: 't', timeoutMs: 200 });
    onTestFinished(() => client.close());
    const call = client.upload('file', { ...file, content: await openAsBlob(bigFile) });
    await expect(call).rejects.toMatchObject({ code: 'FF_CMS_TIMEOUT', ambiguous: true, mayBeApplied: true });
  });
});

test('A response head that arrives too slowly is abandoned', async () => {
  const baseUrl = await listen(
    createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 20);
      socket.on('error', () => undefined).on('close', () => clearInterval(drip));
    }),
  );
  const client = createCmsClient({ baseUrl, token: 't', timeoutMs: 200, retries: 0 });
  onTestFinished(() => client.close());
  await expect(client.events().get(1)).rejects.toMatchObject({ code: 'FF_CMS_TIMEOUT' });
});
