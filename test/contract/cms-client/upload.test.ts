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
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCmsClient, type UploadProgress } from '../../../src/cms/client.ts';
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
    const content = new Blob([Buffer.alloc(MiB)]);
    const onProgress = vi.fn(() => void vi.advanceTimersByTime(1_000));
    expect(await client.upload('file', { ...file, content }, { onProgress })).toMatchObject({ src: '/x' });
    expect(onProgress.mock.calls.length).toBeGreaterThan(2);
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

describe('Kinds of content', () => {
  const bytes = new TextEncoder().encode('%PDF-1.4 tiny');
  async function* stream() {
    yield bytes.subarray(0, 5);
    yield bytes.subarray(5);
  }

  test.each([
    ['a Blob', { fileName: 'a.pdf', content: new Blob([bytes], { type: 'application/pdf' }) }, true],
    ['a File', new File([bytes], 'a.pdf', { type: 'application/pdf' }), true],
    ['bytes', { fileName: 'a.pdf', mediaType: 'application/pdf', content: bytes }, true],
    ['an iterable', { fileName: 'a.pdf', mediaType: 'application/pdf', content: stream() }, false],
    ['a stream of Node', { fileName: 'a.pdf', mediaType: 'application/pdf', content: Readable.from(stream()) }, false],
    [
      'a web stream',
      { fileName: 'a.pdf', mediaType: 'application/pdf', content: ReadableStream.from(stream()) },
      false,
    ],
  ])('The content is %s', async (_, file, isSized) => {
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
    const progress: UploadProgress[] = [];
    await client.upload('file', file, { onProgress: (step) => progress.push(step) });

    const upload = sent?.form.get('upload') as File;
    expect([upload.name, upload.type, await upload.text()]).toEqual(['a.pdf', 'application/pdf', '%PDF-1.4 tiny']);
    expect('content-length' in (sent?.headers ?? {})).toBe(isSized);
    expect(progress.at(-1)).toEqual({ sentBytes: bytes.length, totalBytes: isSized ? bytes.length : undefined });
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
    const { head } = await client.upload('file', { fileName, mediaType: 'a/b\r\nX-Evil: 2', content: bytes });
    expect(String(head).split('\r\n').slice(1)).toEqual([
      'Content-Disposition: form-data; name="upload"; filename="ü %221%22%0D%0AX-Evil: 1.png"',
      'Content-Type: a/bX-Evil: 2',
    ]);
  });

  test('A stream that is longer than the limit is abandoned', async () => {
    const baseUrl = await listen(receiver());
    const client = createCmsClient({ baseUrl, token: 't', maxUploadBytes: 10 });
    onTestFinished(() => client.close());
    const call = client.upload('file', { fileName: 'a.pdf', content: stream() });
    await expect(call).rejects.toMatchObject({ code: 'FF_ATTACHMENT_TOO_LARGE' });
  });

  test('A stream that fails ends the upload with its reason', async () => {
    const baseUrl = await listen(receiver());
    const client = createCmsClient({ baseUrl, token: 't' });
    onTestFinished(() => client.close());
    async function* broken() {
      yield bytes;
      throw new Error('the disk is gone');
    }
    const call = client.upload('file', { fileName: 'a.pdf', content: broken() });
    await expect(call).rejects.toMatchObject({ cause: { message: 'the disk is gone' } });
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
