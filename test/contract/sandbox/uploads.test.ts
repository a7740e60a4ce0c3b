import { once } from 'node:events';
import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rounds } from '../../support/long.ts';
import { createEvent, eventBody, events, onePixelPng, withSandbox } from './harness.ts';

const api = withSandbox({ switches: { maxUploadBytes: 100_000 } });
const plain = withSandbox({ switches: { uploadStatus: 200 } });
const listed = withSandbox({ switches: { uploadTypes: ['application/pdf', 'application/zip'] } });
const anything = withSandbox({ switches: { uploadTypes: ['any'] } });
const uploadPath = '/calendar/upload?attribute=image';

function form(content: Uint8Array | string, name = 'poster.png', field = 'upload'): FormData {
  const data = new FormData();
  data.set(field, new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  return data;
}

const gif = Buffer.from('R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAIChF8AOw==', 'base64');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080005000701011100ffd9', 'hex');
/** A WebP header of each form, followed by zeros. */
function webp(form: string, at: number, hex: string): Buffer {
  const bytes = Buffer.alloc(60);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(52, 4);
  bytes.write(`WEBP${form}`, 8, 'latin1');
  bytes.write(hex, at, 'hex');
  return bytes;
}
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');

describe('Upload', () => {
  test.each([
    ['a.png', onePixelPng, 'image/png', '1', '1'],
    ['a.gif', gif, 'image/gif', '3', '2'],
    ['a.jpeg', jpeg, 'image/jpeg', '7', '5'],
    ['lossy.webp', webp('VP8 ', 26, '09000800'), 'image/webp', '9', '8'],
    ['lossless.webp', webp('VP8L', 21, '08c00100'), 'image/webp', '9', '8'],
    ['extended.webp', webp('VP8X', 24, '080000070000'), 'image/webp', '9', '8'],
  ])('The file %s is an image with its size, and is served back', async (name, content, mediaType, width, height) => {
    const { status, body } = await api.call('POST', uploadPath, form(content, name));
    expect(status).toBe(201);
    const [alt, fileExtension] = name.split('.');
    expect(body).toMatchObject({ fileName: name, fileExtension, type: 'image', alt, width, height });
    expect(body.typeName).toEqual(expect.any(String));
    const served = await fetch(api.url + body.src);
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe(mediaType);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await served.arrayBuffer()).equals(content)).toBe(true);
  });

  test('A PDF has no image attributes', async () => {
    const { body } = await api.call('POST', uploadPath, form(pdf, 'programme.pdf'));
    expect(Object.keys(body).sort()).toEqual(['fileExtension', 'fileName', 'src', 'type', 'typeName']);
    expect(body).toMatchObject({ type: 'pdf', fileExtension: 'pdf' });
    expect((await fetch(api.url + body.src)).headers.get('content-type')).toBe('application/pdf');
  });

  test('A file without a name gets one', async () => {
    const { status, body } = await api.call('POST', uploadPath, form(onePixelPng, ''));
    expect([status, body.fileName, body.alt]).toEqual([201, 'file.png', 'file']);
  });

  test('The src of an upload is set on an event in a second step', async () => {
    const { src } = (await api.call('POST', uploadPath, form(onePixelPng))).body;
    const event = await createEvent(api, { image: { src } });
    expect(event.image).toEqual({ src });
    expect(await (await fetch(api.url + event.url)).text()).toContain(`<img src="${src}"`);
  });

  test('A src that was never uploaded is a 422', async () => {
    const image = { src: '/uploads/image/0123456789abcdef-never.png' };
    const { status, body } = await api.call('POST', events, { ...eventBody, image });
    expect(status).toBe(422);
    expect(body.errors[0].detail).toMatch(/^image:/);
  });

  test('A switch sets the status of an upload', async () => {
    expect((await plain.call('POST', uploadPath, form(onePixelPng))).status).toBe(200);
  });

  const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

  test('A switch sets the types of files that are accepted', async () => {
    const send = async (content: Buffer | string, name: string) =>
      (await listed.call('POST', uploadPath, form(content, name))).status;
    expect([await send(zip, 'a.zip'), await send(pdf, 'a.pdf'), await send(onePixelPng, 'a.png')]).toEqual([
      201, 201, 415,
    ]);
    expect(await send('text', 'a.txt')).toBe(415);
  });

  test.each([
    ['list.CSV', 'a;b\n', { fileName: 'list.csv', fileExtension: 'csv', type: 'file', typeName: 'CSV file' }],
    ['page.html', '<script>alert(1)</script>', { fileExtension: 'html', type: 'file' }],
    ['archive.png', zip, { fileName: 'archive.zip', type: 'file' }],
    ['noext', 'text', { fileName: 'noext.bin' }],
    ['a.png', onePixelPng, { type: 'image', width: '1' }],
  ])('A switch accepts any file, and runs nothing of it: %s', async (name, content, expected) => {
    const { status, body } = await anything.call('POST', uploadPath, form(content, name));
    expect([status, body]).toEqual([201, expect.objectContaining(expected)]);
    const served = await fetch(anything.url + body.src);
    expect(served.status).toBe(200);
    expect(served.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  });

  test('Two files with one name remain two files', async () => {
    const first = (await api.call('POST', uploadPath, form(onePixelPng, 'x.png'))).body;
    const second = (await api.call('POST', uploadPath, form(gif, 'x.png'))).body;
    expect(second.src).not.toBe(first.src);
    expect(second.fileName).toBe('x.gif');
  });

  test('A PDF may begin with blank lines', async () => {
    const { body } = await api.call('POST', uploadPath, form(Buffer.concat([Buffer.from('\r\n\r\n'), pdf]), 'a.pdf'));
    expect(body).toMatchObject({ type: 'pdf', fileExtension: 'pdf' });
  });

  test.each([
    ['no attribute', '/calendar/upload', form(onePixelPng), 400],
    ['a climbing attribute', '/calendar/upload?attribute=..%2F..', form(onePixelPng), 422],
    ['another field', uploadPath, form(onePixelPng, 'a.png', 'file'), 422],
    ['an empty form', uploadPath, new FormData(), 422],
    ['JSON', uploadPath, { upload: 'x' }, 415],
    ['HTML that calls itself a PNG', uploadPath, form('<html><script>alert(1)</script>', 'x.png'), 415],
    ['SVG', uploadPath, form('<svg xmlns="http://www.w3.org/2000/svg"></svg>', 'x.svg'), 415],
    ['an empty file', uploadPath, form(''), 415],
    ['an image cut in its header', uploadPath, form(jpeg.subarray(0, 12), 'x.jpg'), 422],
    ['a file too large', uploadPath, form(Buffer.concat([onePixelPng, Buffer.alloc(200_000)])), 413],
  ])('A refused request: %s', async (_name, path, body, status) => {
    const answer = await api.call('POST', path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0].code).toBe(status);
  });

  test('A truncated form is a 400 and does not hang', async () => {
    const cut = '--x\r\nContent-Disposition: form-data; name="upload"; filename="a.png"\r\n\r\nabc';
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await api.call('POST', uploadPath, cut, type)).status).toBe(400);
    const noBoundary = { 'content-type': 'multipart/form-data' };
    expect((await api.call('POST', uploadPath, cut, noBoundary)).status).toBe(400);
  });

  test.each([
    ['no boundary', 'multipart/form-data', 400],
    ['a boundary that does not occur', 'multipart/form-data; boundary=zzz', 400],
    ['another type', 'application/octet-stream', 415],
  ])(
    'A long body that is refused does not hold up the next request of its connection: %s',
    async (_name, type, status) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const body = Buffer.alloc(400_000, 'a');
      const headers = { accept: 'application/json', 'user-agent': 'x', authorization: `Bearer ${api.token}` };
      const send = async (method: string, path: string, content: Buffer, more = {}) => {
        const sent = request(`${api.url}/api/v1${path}`, { method, agent, headers: { ...headers, ...more } });
        sent.end(content);
        const [response] = await once(sent, 'response');
        response.resume();
        await once(response, 'end');
        return [response.statusCode, sent.reusedSocket];
      };
      expect(await send('POST', uploadPath, body, { 'content-type': type })).toEqual([status, false]);
      expect(await send('GET', events, Buffer.alloc(0))).toEqual([200, true]);
      expect(await send('GET', events, Buffer.alloc(0))).toEqual([200, true]);
    },
    10_000,
  );

  test('The path of any file name is below its folder and is served', async () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom(
        '../../x.png',
        '..\\..\\x',
        '/etc/passwd',
        '.htaccess',
        'a\u0000b.png',
        '…',
        'x'.repeat(3000),
        'Ünï ç.PNG',
      ),
    );
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const { status, body } = await api.call('POST', uploadPath, form(onePixelPng, name));
        expect(status).toBe(201);
        expect(body.src).toMatch(/^\/uploads\/image\/[0-9a-f]{16}-[\w-]{1,80}\.png$/);
        expect((await fetch(api.url + body.src)).status).toBe(200);
      }),
      { numRuns: rounds(10, 1_000) },
    );
  });

  test.each([
    '/uploads/',
    '/uploads/image',
    '/uploads/..%2fsandbox.sqlite',
    '/uploads/image/..%2f..%2f..%2fetc%2fpasswd',
  ])('The path %s serves no file', async (path) =>
    expect((await fetch(api.url + path)).status).toBeGreaterThanOrEqual(400),
  );
});
