import { describe, expect, test } from 'vitest';
import { showMarks } from '../../../../src/core/charset/undecodable.ts';
import { decodeText } from '../../../../src/feed/content/charset.ts';

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Declared {
  encoding?: string;
  contentType?: string;
}

async function decode(parts: Array<string | Buffer>, declared: Declared = {}, size = 7) {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const result = { text: '', charset: '', warnings: [] as string[] };
  const decoded = decodeText(chunks(bytes, size), {
    location: 'feed.csv',
    ...declared,
    isCutOff: () => false,
    onCharset: (charset) => {
      result.charset = charset;
    },
    warn: ({ at, message }) => result.warnings.push(`${at}: ${message}`),
    onMark: () => {},
  });
  for await (const part of decoded) result.text += part;
  return { ...result, text: showMarks(result.text) };
}

/** Bytes, each as a character of Latin-1. */
const raw = (text: string) => Buffer.from(text, 'latin1');

const western = '1,Café Zürich\n2,Dvořák\n3,Größe\n4,naïve\n';
const polish = '1,Łódź\n2,Kraków źle\n3,Gdańsk\n';
const russian = '1,Привет мир\n2,Музей\n';
const japanese = '1,テスト\n2,東京\n3,コンサート\n';

describe('A line that is not valid UTF-8', () => {
  test.each([
    ['a non-breaking space', western, 'Today\xa0x', 'Today\u00a0x', 'windows-1252'],
    ['an apostrophe of Word', western, 'Today\x92s', 'Today’s', 'windows-1252'],
    ['a Latin-1 row', western, 'Caf\xe9 M\xfcnchen', 'Café München', 'windows-1252'],
    ['a French colon', western, 'Caf\xe9\xa0: ouvert', 'Café\u00a0: ouvert', 'windows-1252'],
    ['capitals', western, 'S\xc3O PAULO', 'SÃO PAULO', 'windows-1252'],
    ['a windows-1250 row', polish, '\xa3\xf3d\x9f', 'Łódź', 'windows-1250'],
    ['a windows-1251 row', russian, '\xcc\xf3\xe7\xe5\xe9', 'Музей', 'windows-1251'],
    ['a Shift-JIS row', japanese, '\x83R\x83\x93\x83T\x81[\x83g', 'コンサート', 'shift_jis'],
  ])('with %s is read in the charset of its language', async (_, before, line, expected, charset) => {
    const { text, warnings } = await decode([before, raw(`9,${line}\n`), before]);
    expect(text).toBe(`${before}9,${expected}\n${before}`);
    const number = before.split('\n').length;
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`^line ${number}: ".*" is not valid utf-8 .*; read as ${charset}$`)),
    ]);
  });

  test.each([
    ['a character cut off at the end', western, 'violonc\xc3', 'violonc\\xC3'],
    ['a quote cut off', western, 'Hello \xe2\x80', 'Hello \\xE2\\x80'],
    ['an emoji cut off', western, 'Fun \xf0\x9f\x8e', 'Fun \\xF0\\x9F\\x8E'],
    ['a stray 0xFF', western, 'a \xff b', 'a \\xFF b'],
    ['a byte that no charset has', western, 'a\x81b', 'a\\x81b'],
    ['a Cyrillic letter cut off', russian, '\xd0\x9c\xd1\x83\xd0', 'Му\\xD0'],
    ['a Japanese letter cut off', japanese, '\xe6\x9d\xb1\xe4\xba', '東\\xE4\\xBA'],
  ])('with %s keeps a mark, so that its record is rejected', async (_, before, line, expected) => {
    const { text, warnings } = await decode([before, raw(`9,${line}\n`), before]);
    expect(text).toBe(`${before}9,${expected}\n${before}`);
    expect(warnings).toEqual([expect.stringMatching(/^line \d: ".*\\x.*its record is rejected$/)]);
  });

  test('in a text of two languages is read in the charset of most of its words', async () => {
    const mixed = '1,Café Noël\n2,Łódź in pictures\n3,Übung\n';
    expect((await decode([mixed, raw('9,Se\xf1or\n')])).text).toBe(`${mixed}9,Señor\n`);
  });

  test('keeps its characters of UTF-8', async () => {
    const { text } = await decode([western, '9,Dvořák – Today', raw('\x92s caf\xe9\n')]);
    expect(text).toBe(`${western}9,Dvořák – Today’s café\n`);
  });

  test.each([
    ['the header', [raw('id,t\xedtulo\n'), western], `id,título\n${western}`],
    ['the last line, without an end', [western, raw('9,Caf\xe9')], `${western}9,Café`],
    ['every line', western.split('\n').map((line) => Buffer.concat([Buffer.from(line), raw('\xa01\n')])), undefined],
    ['most lines', [western, raw('9,Caf\xe9\n'.repeat(50))], `${western}${'9,Café\n'.repeat(50)}`],
    ['a file before this one', [raw('1,Caf\xe9\n'.repeat(9)), western], `${'1,Café\n'.repeat(9)}${western}`],
    ['a line beyond 1 MB', ['1,plain\n'.repeat(150_000), raw('9,Caf\xe9\n'), western], undefined],
  ])('may be %s', async (_, parts, expected) => {
    const { text, charset } = await decode(parts as Array<string | Buffer>, {}, 4096);
    const all = parts.map((part) => part.toString('latin1' as never)).join('');
    expect(charset).toBe('utf-8');
    if (expected !== undefined) expect(text).toBe(expected);
    else expect(text.split('\n')).toHaveLength(all.split('\n').length);
    expect(text).not.toMatch(/[Ã\uFFFD]/);
  });

  test('is reported with its bytes; many are counted', async () => {
    const one = await decode([western, raw('9,Today\xa0x\n')]);
    expect(one.warnings).toEqual([
      'line 5: "9,Today\\xA0x" is not valid utf-8 (byte 53 of the text); read as windows-1252',
    ]);
    const many = await decode([western, raw('9,Today\xa0x\n'.repeat(500))]);
    expect(many.warnings).toHaveLength(11);
    expect(many.warnings.at(-1)).toBe(
      'all lines: 500 lines are not in the charset of the text, utf-8; the first 10 are listed',
    );
  });
});

describe('A declared charset', () => {
  const latin1 = raw('1,Caf\xe9 M\xfcnchen\n2,LIBERT\xc9\xa0!\n3,Gr\xf6\xdfe\n');
  const latin1Text = latin1.toString('latin1');

  test.each<[string, Array<string | Buffer>, Declared, string, string, number]>([
    ['that is right', [latin1], { contentType: 'text/csv; charset=iso-8859-1' }, latin1Text, 'windows-1252', 0],
    ['of UTF-8 in Latin-1', [latin1], { contentType: 'text/csv; charset=utf-8' }, latin1Text, 'windows-1252', 1],
    ['of Latin-1 in UTF-8', [western], { contentType: 'text/csv; charset=iso-8859-1' }, western, 'utf-8', 1],
    ['of Latin-1 in Cyrillic', [russian], { contentType: 'text/csv; charset=iso-8859-1' }, russian, 'utf-8', 1],
    ['of UTF-16 in UTF-8', [western], { contentType: 'text/csv; charset=utf-16' }, western, 'utf-8', 1],
    ['of the config in UTF-8', [western], { encoding: 'windows-1252' }, western, 'utf-8', 1],
    ['of a mark before Latin-1', ['\uFEFF', latin1], {}, latin1Text, 'windows-1252', 1],
    ['for two letters', [raw('1,\xc9\xa0!\n')], { encoding: 'latin1' }, '1,É\u00a0!\n', 'windows-1252', 0],
  ])('%s is judged by the text', async (_, parts, declared, text, charset, warnings) => {
    const result = await decode(parts, declared);
    expect(result).toMatchObject({ text, charset });
    expect(result.warnings).toHaveLength(warnings);
  });

  test('stays although a line is damaged', async () => {
    const mixed = [raw('1,Caf\xe9\n'.repeat(30)), '2,Zoë\n', raw('3,M\xfcnchen\n')];
    const result = await decode(mixed, { contentType: 'text/csv; charset=iso-8859-1' });
    expect(result.text).toBe(`${'1,Café\n'.repeat(30)}2,Zoë\n3,München\n`);
    const kanji = raw('\x83\x65\x83\x58\x83\x67\n');
    const damaged = await decode([kanji, raw('\x83\xff\n'), kanji], { encoding: 'shift_jis' });
    expect(damaged.text).toMatch(/^テスト\n(\\xFF)+\nテスト\n$/);
    const utf16 = await decode([Buffer.from('\uFEFFa\ud800b\nc\n', 'utf16le')]);
    expect(utf16.text).toBe('a\\xFFb\nc\n');
  });

  test.each([
    ['<!doctype html><meta charset="iso-8859-2"><p>'],
    ['<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2"><p>'],
    ['<?xml version="1.0" encoding="ISO-8859-2"?><p>'],
  ])('may be in the page: %s', async (head) => {
    expect((await decode([head, raw('\xb1\xe6\xea')])).text).toBe(`${head}ąćę`);
  });
});
