import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceMarks } from '../../../../src/core/charset/undecodable.ts';
import { decodeText } from '../../../../src/feed/content/charset.ts';

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(bytes: Uint8Array, options: { encoding?: string; contentType?: string; size?: number } = {}) {
  let charset = '';
  let confidence: number | undefined;
  const warnings: string[] = [];
  const { size = 7, ...rest } = options;
  const parts = decodeText(chunks(bytes, size), {
    location: 'feed.csv',
    ...rest,
    isCutOff: () => false,
    onCharset: (name, sure) => {
      charset = name;
      confidence = sure;
    },
    warn: ({ message }) => warnings.push(message),
    onMark: () => {},
  });
  let text = '';
  for await (const part of parts) text += part;
  return { text, charset, confidence, warnings: warnings.length > 0 ? warnings : undefined };
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
    expect(await decode(bytes, options)).toMatchObject({ text, charset });
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

  test('of a Mac, with CR line ends, is suspected only if its charset is detected', async () => {
    const bytes = Buffer.from(
      'id,name\r1,Caf\x8e in M\x9fnchen\r2,F\x9fhrung f\x9fr Sch\x9fler\r3,Z\x9frich\r',
      'latin1',
    );
    expect(await decode(bytes)).toMatchObject({
      warnings: [expect.stringContaining('set source.encoding: macintosh')],
    });
    const { text, warnings } = await decode(bytes, { encoding: 'macintosh' });
    expect(text).toBe('id,name\r1,Café in München\r2,Führung für Schüler\r3,Zürich\r');
    expect(warnings).toBeUndefined();
    const modern = Buffer.from(bytes.toString('latin1').replaceAll('\r', '\r\n'), 'latin1');
    expect((await decode(modern)).warnings).toBeUndefined();
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
    ['an unknown label', 'a', 'klingon', 'Unknown charset "klingon"'],
    ['a wrong configuration', 'caf\xe9 M\xfcnchen Gr\xf6\xdfe', 'utf-8', 'is not utf-8, as source.encoding says'],
  ])('is an error with %s', async (_, text, encoding, message) => {
    await expect(decode(Buffer.from(text, 'latin1'), { encoding, size: 65_536 })).rejects.toMatchObject({
      code: 'FF_FEED_CHARSET',
      message: expect.stringContaining(message),
    });
  });

  test('never becomes a replacement character, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
        const { text } = await decode(bytes, { size });
        expect(text.isWellFormed()).toBe(true);
        if (!Buffer.from(bytes).includes('\uFFFD')) expect(text).not.toContain('\uFFFD');
      }),
    );
  });

  test('changes no other line, whatever its bytes are, and wherever it is', async () => {
    const lines = ['1,Café Zürich', '2,Łódź', '3,Привет', '4,東京', '5,naïve – “quoted”', '6,plain', '7,Dvořák'];
    const line = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 10 && byte !== 13));
    await fc.assert(
      fc.asyncProperty(line, fc.nat(lines.length), fc.integer({ min: 1, max: 300 }), async (bytes, at, size) => {
        const parts = lines.map((text) => Buffer.from(`${text}\n`));
        parts.splice(at, 0, Buffer.concat([bytes, Buffer.from('\n')]));
        const read = (await decode(Buffer.concat(parts), { size })).text.split('\n');
        read.splice(at, 1);
        expect(read).toEqual([...lines, '']);
      }),
    );
  });

  test('that is pure binary is marked byte by byte', async () => {
    const bytes = Buffer.concat([Buffer.from('é\n'.repeat(20_000)), Buffer.alloc(200_000, 0xff)]);
    const { text } = await decode(bytes, { size: 4096 });
    expect(replaceMarks(text, () => '') === 'é\n'.repeat(20_000)).toBe(true);
  });
});
