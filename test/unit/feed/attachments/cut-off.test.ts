import { describe, expect, test } from 'vitest';
import { isCutOff } from '../../../../src/feed/attachments/download.ts';
import { createAttachmentReader } from '../../../../src/feed/attachments.ts';
import { png } from '../../../e2e/site.ts';
import { rememberedFiles } from '../../../support/remote-files.ts';
import { serve } from '../server.ts';

const body = Buffer.alloc(4000, 0x55);
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a464946', 'hex'),
  Buffer.from('ffd9', 'hex'),
  body,
  Buffer.from('ffd9', 'hex'),
]);
const gif = Buffer.concat([Buffer.from('GIF89a'), body, Buffer.from(';')]);
const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n%%EOF\n'), body, Buffer.from('\n%%EOF\n')]);
const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 '), body]);
webp.writeUInt32LE(webp.length - 8, 4);

describe('A file that breaks off is noticed', () => {
  test.each([
    ['image/jpeg', jpeg],
    ['image/png', png(1)],
    ['image/gif', gif],
    ['image/webp', webp],
    ['application/pdf', pdf],
  ])('%s', async (type, whole) => {
    const trailing = Buffer.concat([whole, Buffer.alloc(20)]);
    const half = whole.subarray(0, Math.ceil(whole.length / 2));
    const found = [whole, trailing, half].map((bytes) => isCutOff(new Blob([bytes]), type));
    expect(await Promise.all(found)).toEqual([false, false, true]);
  });

  test('if the server does not say how long it is, it is not taken', async () => {
    const server = await serve((request, response) => {
      const bytes = request.url === '/half.jpg' ? jpeg.subarray(0, 1500) : jpeg;
      response.socket?.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\nContent-Type: image/jpeg\r\n\r\n'), bytes]));
    });
    const reader = createAttachmentReader(rememberedFiles(), { allowPrivateNetwork: true });
    const read = (path: string) => reader.read({ is: 'location', location: `${server.url}${path}` });
    await expect(read('/half.jpg')).rejects.toMatchObject({
      code: 'FF_ATTACHMENT_UNREADABLE',
      message: expect.stringContaining('breaks off'),
    });
    await using whole = await read('/whole.jpg');
    expect(whole.content.size).toBe(jpeg.length);
  });
});
