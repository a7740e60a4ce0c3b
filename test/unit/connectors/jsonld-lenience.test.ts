import { describe, expect, test } from 'vitest';
import { jsonld } from '../../../connectors/jsonld/jsonld.ts';
import { parseLeniently } from '../../../connectors/jsonld/lenient-json.ts';
import { readFeed } from './read-feed.ts';

const event = '{"@type":"Event","name":"A","startDate":"2026-05-01"}';
const page = (...scripts: string[]) =>
  `<html>\n${scripts.map((script) => `<script type="application/ld+json">${script}</script>`).join('\n')}\n</html>`;

describe('JSON that is not quite valid', () => {
  test.each<[string, string, unknown[]]>([
    ['a semicolon', '{"a":1};', [{ a: 1 }]],
    ['a byte order mark', '\u{feff}{"a":1}', [{ a: 1 }]],
    ['commas before the end', '{"a":[1,2,],}', [{ a: [1, 2] }]],
    ['raw control characters', '{"a":"x\r\ny\t"}', [{ a: 'x\r\ny\t' }]],
    ['line comments', '// one\n{"a":1} // two', [{ a: 1 }]],
    ['comments', '/* <![CDATA[ */{"a": /* b */ 1, /* c */}/* ]]> */', [{ a: 1 }]],
    ['a comment of HTML around it', '<!--\n{"a":1}\n-->', [{ a: 1 }]],
    ['a comment of HTML before it', '<!-- SEO -->{"a":1}', [{ a: 1 }]],
    ['two values', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['values with commas', '{"a":1},\n[2],', [{ a: 1 }, [2]]],
    ['entities for quotes', '{&quot;a&quot;:&#34;x &amp; y&quot;}', [{ a: 'x & y' }]],
    ['escaped single quotes', String.raw`{"a":"It\'s"}`, [{ a: "It's" }]],
    ['marks in strings', '{"a":"x // y /* ] } ; <!-- ,]",}', [{ a: 'x // y /* ] } ; <!-- ,]' }]],
    ['large numbers', '{"a":12345678901234567890,}', [{ a: '12345678901234567890' }]],
  ])('with %s is read', (_, text, values) => {
    expect(parseLeniently(text)).toEqual(values);
  });

  test.each([
    ['{"a":1'],
    ['{"a":}'],
    ['{a:1}'],
    ["{'a':1}"],
    ['{"a":1,,}'],
    ['{"a":1} x'],
    ['{"a":1}}'],
    ['{"a":1 "b":2}'],
    ['{"a":"b'],
    ['[{"a":1} {"b":2}]'],
    ['{"a":NaN}'],
    ['{"a":"b "c" d"}'],
    ['{“a”:1}'],
    ['{"a":1; "b":2}'],
    ['"abc\\'],
    [''],
    ['hello'],
  ])('%s is an error', (text) => {
    expect(() => parseLeniently(text)).toThrow(SyntaxError);
  });

  test.each(['"', '\\"', '/*', '<!--', '<!--[]{', '{', '}', '//', ',', '"\n'])(
    'of nothing but %j is read quickly',
    (text) => {
      expect(() => parseLeniently(text.repeat(200_000))).toThrow(SyntaxError);
    },
  );
});

describe('A page with a script that is not JSON', () => {
  const broken = '{"@type":"Event",\n"name":"A" "startDate":"2026-05-01"}';

  test('rejects the script with its place, and is incomplete', async () => {
    const { records, rejections, incomplete } = await readFeed(jsonld, page(`${event};`, broken));
    expect(records).toHaveLength(1);
    expect(rejections).toMatchObject([
      {
        at: 'script 2',
        reason: expect.stringMatching(/^the script at line 3 is not valid JSON: .* \(line 2 column 12\)$/),
      },
    ]);
    expect(incomplete).toEqual(['script 2 of memory could not be read']);
  });

  test('but empty is whole', async () => {
    const { records, rejections, incomplete } = await readFeed(jsonld, page('', '\n', event));
    expect([records.length, rejections, incomplete]).toEqual([1, [], []]);
  });

  test('and without another event names the script', async () => {
    const { error } = await readFeed(jsonld, page('{"@type":"Organization"}', broken));
    expect(error?.message).toMatch(
      /^memory has no schema.org Event that can be read: script 2, at line 3, is not valid JSON/,
    );
  });

  test('A document is read in the same way', async () => {
    const { records } = await readFeed(jsonld, `\u{feff}${event};\n${event.replace('"A"', '"B"')}`);
    expect(records).toMatchObject([
      { at: 'value 1, $', fields: { name: 'A' } },
      { at: 'value 2, $', fields: { name: 'B' } },
    ]);
  });

  test('A script is found by an escaped type', async () => {
    const { records } = await readFeed(
      jsonld,
      `<html><script type="application&#x2F;ld&#x2B;json">${event}</script></html>`,
    );
    expect(records).toHaveLength(1);
  });
});
