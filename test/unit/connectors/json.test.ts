import { describe, expect, test } from 'vitest';
import { json } from '../../../connectors/json/json.ts';
import { formatPath, parsePath } from '../../../connectors/json/path.ts';
import { readFeed } from './read-feed.ts';

const read = (text: string, options = {}, feedOptions = {}) => readFeed(json, text, { options, ...feedOptions });

describe('The list of records', () => {
  test.each([
    ['the top of the document', '[{"a":1}]', {}, '$[0]'],
    ['the only list', '{"exported":"x","meta":{"l":1},"people":[{"a":1}],"n":null}', {}, '$.people[0]'],
    [
      'the only list at any depth',
      '{"response":{"ok":true,"data":{"items":[{"a":1}]}}}',
      {},
      '$.response.data.items[0]',
    ],
    ['the only list beside errors', '{"errors":[],"data":{"people":[{"a":1}]}}', {}, '$.data.people[0]'],
    [
      'the only list of the document, after deep ones',
      '{"m":{"l":[{"b":1}],"k":[]},"people":[{"a":1}]}',
      {},
      '$.people[0]',
    ],
    ['the only list of the document, before deep ones', '{"people":[{"a":1}],"m":{"l":[{"b":1}]}}', {}, '$.people[0]'],
    ['a name', '{"people":[{"a":1}],"other":[{"b":2}]}', { items: 'people' }, '$.people[0]'],
    ['a path', '{"other":[{"b":2}],"data":{"items":[{"a":1}]}}', { items: '$.data.items[*]' }, '$.data.items[0]'],
    ['a quoted name', '{"odd.name":[{"a":1}]}', { items: "$['odd.name']" }, "$['odd.name'][0]"],
    ['lists in lists', '{"g":[{"p":[]},{"p":[{"a":1}]}]}', { items: 'g[*].p' }, '$.g[1].p[0]'],
    ['the document by $', '[{"a":1}]', { items: '$' }, '$[0]'],
    ['an index', '{"g":[[{"b":1}],[{"a":1}]]}', { items: 'g[1]' }, '$.g[1][0]'],
    ['a quoted name with a quote', `{"it's":[{"a":1}]}`, { items: "$['it\\'s']" }, "$['it's'][0]"],
    ['a list with any name', '{"x":{"p":{},"q":[{"a":1}]}}', { items: '$.x.*[*]' }, '$.x.q[0]'],
    ['the children of an object', '{"people":{"ann":{"a":1}}}', { items: '$.people.*' }, '$.people.ann'],
    [
      'any depth',
      '{"x":{"y":[{"events":[{"a":1}]}]},"z":{"event":[{"b":1}]}}',
      { items: '$..events[*]' },
      '$.x.y[0].events[0]',
    ],
    ['any depth, by index', '[[[{"b":1}],[{"a":1}]]]', { items: '$..[1][*]' }, '$[0][1][0]'],
  ])('is found at %s', async (_, text, options, at) => {
    for (const chunkSize of [1, 5, 1000]) {
      const { records, error } = await read(text, options, { chunkSize });
      expect(error).toBeUndefined();
      expect(records).toEqual([{ at, fields: { a: 1 } }]);
    }
  });

  test.each([
    ['an error object', '{"error":"nope","status":500}', {}, '"error", "status"'],
    ['a missing path', '{"data":{"rows":[]}}', { items: 'data.items' }, 'it has "data"; inside "rows"'],
    [
      'an object where the list should be',
      '{"people":{"a":1}}',
      { items: 'people' },
      'does not have a list at $.people',
    ],
    ['several lists', '{"a":[{"x":1}],"b":[]}', {}, '$.a (1 item), $.b (0 items)'],
    ['several lists at depth', '{"d":{"a":[{"x":[1]}],"b":[1,[],{}]}}', {}, '$.d.a (1 item), $.d.b (3 items)'],
    ['a list of errors', '{"errors":[{"message":"no"}],"data":null}', {}, 'it has "errors", "data"'],
    ['a list of errors at depth', '{"error":{"details":[{"message":"no"}]}}', {}, 'it has "error"'],
    ['a list of words at depth', '{"ann":{"tags":["a","b"]}}', {}, 'does not have a list'],
    ['no JSON', 'hello', {}, 'is not valid JSON'],
    ['a bare value', '42', {}, 'does not have a list'],
    ['JSON lines', '{"a":1}\n{"a":2}\n', {}, 'set source.lines: true'],
    ['cut off before its list', '{"people"', {}, 'is cut off'],
    ['nested without end', `[${'['.repeat(200_000)}`, {}, 'nested more than 200 levels'],
  ])('is missing, which refuses the feed: %s', async (_, text, options, message) => {
    const { error } = await read(text, options);
    expect(error?.code).toBe('FF_FEED_FORMAT');
    expect(error?.message).toContain(message);
  });

  test('must have a valid path', () => {
    for (const path of ['$[1', 'a[?(@.x)]', '$[0:2]', '$[-1]', '$.a..', "$['a','b']"])
      expect(parsePath(path), path).toHaveProperty('unknown');
    expect(json.options.safeParse({ items: '$[?' }).success).toBe(false);
    expect(formatPath(['a', 3, 'b c'])).toBe("$.a[3]['b c']");
  });
});

describe('An item', () => {
  test('need not exist, because an empty list is a list', async () => {
    expect(await read('{"people":[]}')).toMatchObject({ records: [], rejections: [] });
    expect((await read('[]')).error).toBeUndefined();
  });

  test('that is not an object is rejected alone', async () => {
    const { records, rejections } = await read('[{"a":1},"x",null,[1],7,{"a":2}]');
    expect(records.map(({ at }) => at)).toEqual(['$[0]', '$[5]']);
    expect(rejections.map(({ at }) => at)).toEqual(['$[1]', '$[2]', '$[3]', '$[4]']);
  });

  test('keeps large integers distinct as text; other numbers are numbers', async () => {
    const { records } = await read('[{"id":9007199254740993},{"id":9007199254740992},{"id":-1.5e3}]');
    expect(records.map(({ fields }) => fields.id)).toEqual(['9007199254740993', '9007199254740992', -1500]);
  });

  test('may have a member __proto__ without polluting prototypes', async () => {
    const { records } = await read('[{"__proto__":{"admin":true},"constructor":1}]');
    const fields = records[0]!.fields;
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test.each([
    ['a second document', '[][]', 'text follows after its end'],
    ['a NUL', '[\0]', 'is not valid JSON'],
  ])('before %s is kept, and the read is incomplete', async (_, text, reason) => {
    expect((await read(text)).incomplete).toEqual([expect.stringContaining(reason)]);
  });

  test('before a cut or a syntax error is kept, and the read is incomplete', async () => {
    for (const text of ['{"p":[{"a":1},{"a":2},{"a"', '{"p":[{"a":1},{"a":2} oops', '{"p":[{"a":1},{"a":2}]']) {
      const { records, incomplete, error } = await read(text);
      expect(error).toBeUndefined();
      expect(records.map(({ fields }) => fields.a)).toEqual([1, 2]);
      expect(incomplete).toHaveLength(1);
    }
  });
});

describe('A list deep in a document', () => {
  const long = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, text: 'x'.repeat(1000) })));

  test('is used while it is read, unless it is short', async () => {
    const { records, incomplete } = await read(`{"data":{"people":${long(3000)}`);
    expect(records).toHaveLength(3000);
    expect(incomplete).toHaveLength(1);
    expect((await read('{"data":{"people":[{"a":1},{"a":2},{"a"')).records).toHaveLength(2);
  });

  test('that was used is not replaced by one that comes later', async () => {
    const { error } = await read(`{"data":{"people":${long(3000)}},"words":[1]}`);
    expect(error?.message).toContain('$.data.people (3000 items), $.words (1 item)');
    expect(error?.remedy).toContain('items: $.data.people');
  });
});

test('A malformed line of newline-delimited JSON is rejected alone', async () => {
  const text = `{"a":1}\r\n\nnot json\n{"a":\n"x"\n${'['.repeat(5000)}\n{"a":12345678901234567890}`;
  const { records, rejections } = await read(text, { lines: true });
  expect(records).toEqual([
    { at: 'line 1', fields: { a: 1 } },
    { at: 'line 7', fields: { a: '12345678901234567890' } },
  ]);
  expect(rejections.map(({ at }) => at)).toEqual(['line 3', 'line 4', 'line 5', 'line 6']);
});
