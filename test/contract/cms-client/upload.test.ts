import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob, truncateSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** Takes an upload and answers with the number of bytes. */
function receiver(): Server {
  return createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
    let bytes = 0;
    try {
      for await (const chunk of incoming) bytes += chunk.length;
    } catch {
      return; // the client went away
    }
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ src: '/x', bytes }));
  });
}

describe('Uploads', () => {
  test('An upload is streamed, and memory grows by far less than the file', async () => {
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

  test('A slow upload that makes progress may last longer than the time-out', async () => {
    const client = createCmsClient({ baseUrl: await listen(receiver()), token: 't', timeoutMs: 1_500 });
    onTestFinished(() => client.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let pieces = 0;
    const content = new Blob([]);
    vi.spyOn(content, 'size', 'get').mockReturnValue(4);
    vi.spyOn(content, 'stream').mockReturnValue(
      new ReadableStream({
        pull(controller) {
          vi.advanceTimersByTime(1_000);
          pieces += 1;
          if (pieces > 4) controller.close();
          else controller.enqueue(Buffer.from('x'));
        },
      }),
    );
    expect(await client.upload('file', { ...file, content })).toMatchObject({ src: '/x' });
    expect(pieces).toBe(5);
  });

  test('An upload that the server does not read is abandoned and ambiguous', async () => {
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

describe('The form', () => {
  const content = new Blob(['%PDF-1.4 tiny']);

  test('has the file, its name, its type and its length', async () => {
    let sent: { headers: IncomingHttpHeaders; form: FormData } | undefined;
    const baseUrl = await listen(
      createServer(async (incoming, response) => {
        const body = await buffer(incoming);
        const headers = { 'content-type': String(incoming.headers['content-type']) };
        sent = { headers: incoming.headers, form: await new Response(new Uint8Array(body), { headers }).formData() };
        response.writeHead(201).end('{"src":"/x"}');
      }),
    );
    const client = createCmsClient({ baseUrl, token: 't' });
    onTestFinished(() => client.close());
    await client.upload('file', { ...file, content });

    const upload = sent?.form.get('upload') as File;
    expect([upload.name, upload.type, await upload.text()]).toEqual(['big.pdf', 'application/pdf', '%PDF-1.4 tiny']);
    expect(sent?.headers).toHaveProperty('content-length');
  });

  test('A file name is written as browsers do', async () => {
    const baseUrl = await listen(
      createServer(async (incoming, response) => {
        const [head = ''] = (await text(incoming)).split('\r\n\r\n');
        response.writeHead(201).end(JSON.stringify({ src: '/x', head }));
      }),
    );
    const client = createCmsClient({ baseUrl, token: 't' });
    onTestFinished(() => client.close());
    const fileName = 'ü "1"\r\nX-Evil: 1.png';
    const { head } = await client.upload('file', { fileName, mediaType: 'a/b\r\nX-Evil: 2', content });
    expect(String(head).split('\r\n').slice(1)).toEqual([
      'Content-Disposition: form-data; name="upload"; filename="ü %221%22%0D%0AX-Evil: 1.png"',
      'Content-Type: a/bX-Evil: 2',
    ]);
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
