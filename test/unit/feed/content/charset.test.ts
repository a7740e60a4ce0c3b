import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../../src/feed/content/charset.ts';
import { firstInvalidUtf8 } from '../../../../src/feed/content/utf8.ts';

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(bytes: Uint8Array, options: { encoding?: string; contentType?: string; size?: number } = {}) {
  let charset = '';
  let confidence: number | undefined;
  const { size = 7, ...rest } = options;
  const parts = decodeText(chunks(bytes, size), {
    location: 'feed.csv',
    ...rest,
    isCutOff: () => false,
    onCharset: (name, sure) => {
      charset = name;
      confidence = sure;
    },
  });
  let text = '';
  for await (const part of parts) text += part;
  return { text, charset, ...(confidence === undefined ? {} : { confidence }) };
}

const text = 'id,naïve Łódź – ok\n';
const utf16 = Buffer.from(text, 'utf16le');

describe('Text', () => {
  test.each([
    ['UTF-8', Buffer.from(text), {}, 'utf-8'],
    ['a UTF-8 mark, over all else', Buffer.from(`\uFEFF${text}`), { encoding: 'latin1' }, 'utf-8'],
    ['a UTF-16 mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), {}, 'utf-16le'],
    ['a big-endian mark', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]), {}, 'utf-16be'],
    ['UTF-16 without a mark', utf16, {}, 'utf-16le'],
    ['big-endian without a mark', Buffer.from(utf16).swap16(), {}, 'utf-16be'],
    ['UTF-8 declared as ASCII', Buffer.from(text), { contentType: 'text/csv;charset=US-ASCII' }, 'utf-8'],
    ['a wrong declaration', Buffer.from(text), { contentType: 'text/csv; charset="utf-16"' }, 'utf-8'],
    ['an unknown declaration', Buffer.from(text), { contentType: 'text/csv; charset=klingon' }, 'utf-8'],
  ])('is decoded with %s', async (_, bytes, options, charset) => {
    expect(await decode(bytes, options)).toEqual({ text, charset });
  });

  test.each([
    ['windows-1251', 'Привет, мир! Это обычный текст про музей и концерты.', 0x350],
    ['windows-1252', 'Señoras y señores, el programa del café «Niño» está aquí: música, café y más.', 0],
  ])('in %s is detected and reported', async (charset, sentence, shift) => {
    const byte = (code: number) => (shift > 0 && code >= 0x410 ? code - shift : code);
    const bytes = Uint8Array.from(sentence, (character) => byte(character.charCodeAt(0)));
    const result = await decode(bytes);
    expect(result).toEqual({ text: sentence, charset, confidence: expect.any(Number) });
    expect(result.confidence).toBeGreaterThan(0);
    expect(result.confidence).toBeLessThanOrEqual(100);
  });

  test('is decoded by its declared or configured charset', async () => {
    const shiftJis = Uint8Array.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]);
    expect((await decode(shiftJis, { contentType: 'text/csv; charset=Shift_JIS' })).text).toBe('テスト');
    expect((await decode(shiftJis, { encoding: 'sjis' })).text).toBe('テスト');
  });

  test('keeps its NULs, for the connectors to handle', async () => {
    expect((await decode(Buffer.from('a\0b'))).text).toBe('a\0b');
  });
});

describe('Invalid text', () => {
  test.each([
    [
      'an invalid byte late in a large feed',
      Buffer.concat([Buffer.from('é'.repeat(1_000_000)), Buffer.from([0xe9]), Buffer.from('x')]),
      {},
      'not valid utf-8 at byte 2000000',
    ],
    ['a character that is cut off', Buffer.from('é'.repeat(600_000)).subarray(0, -1), {}, 'not valid utf-8'],
    ['a wrong configuration', Buffer.from([0x61, 0xe9, 0x61]), { encoding: 'utf-8' }, 'not valid utf-8 at byte 1'],
    ['an unknown label', Buffer.from('a'), { encoding: 'klingon' }, 'Unknown charset "klingon"'],
  ])('is an error with %s', async (_, bytes, options, message) => {
    await expect(decode(bytes, { ...options, size: 65_536 })).rejects.toMatchObject({
      code: 'FF_FEED_CHARSET',
      message: expect.stringContaining(message),
    });
  });

  test('never becomes a replacement character, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
        const result = await decode(bytes, { size }).catch((error: { code?: string }) => error.code);
        if (typeof result === 'object') expect(result.text.isWellFormed()).toBe(true);
        else expect(result).toBe('FF_FEED_CHARSET');
      }),
    );
  });
});

test('The first invalid byte is found at any offset', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
      const head = Buffer.from(before);
      expect(firstInvalidUtf8(Buffer.concat([head, Buffer.from([0xff]), Buffer.from(after)]))).toBe(head.length);
      expect(firstInvalidUtf8(head)).toBe(head.length);
    }),
  );
});
