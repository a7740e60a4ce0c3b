import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { changesBetween, editYaml } from '../../../src/inference/written/edit-yaml.ts';

const file = `# The talks
resource: events # what
source:
  connector: csv
  url: './a.csv'
  # how it is read

key: &key Nr
map:
  title: "Name"   # as printed
  start:  # the day
    field: Datum # one column
    format: dd.MM.yyyy

  end:
    field: Bis
  text: |
    one
    two

  price: { field: Preis, default: "a, b" }
  # theme: Thema
when: { field: *key, is: present }
`;

describe('A change of a key in a YAML file', () => {
  test.each<[path: string, value: unknown, from: string, to: string]>([
    ['map.title', 'Titel', '"Name"', 'Titel'],
    ['map.start.format', 'd.M.yy', 'dd.MM.yyyy', 'd.M.yy'],
    ['map.start.format', undefined, '    format: dd.MM.yyyy\n', ''],
    ['map.end', 'Ende', 'end:\n    field: Bis', 'end: Ende'],
    ['map.end.field', undefined, '  end:\n    field: Bis\n', ''],
    ['map.price.default', 'x: y', '"a, b"', '"x: y"'],
    ['map.price.default', { a: ['1', null] }, '"a, b"', '{ a: [ "1", null ] }'],
    ['map.price.field', undefined, 'field: Preis, ', ''],
    ['map.price.trim', true, '"a, b" }', '"a, b", trim: true }'],
    ['map.text', { value: 'T' }, '|\n    one\n    two\n', '{ value: T }\n'],
    ['map.text', undefined, '  text: |\n    one\n    two\n', ''],
    [
      'map.place',
      { field: 'Ort', default: '10:00' },
      '"a, b" }\n',
      '"a, b" }\n  place: { field: Ort, default: "10:00" }\n',
    ],
    ['source.delimiter', ';', "'./a.csv'\n", "'./a.csv'\n  delimiter: ;\n"],
    ['attachments.image', 'Bild', 'present }\n', 'present }\nattachments:\n  image: Bild\n'],
    ['schedule', { every: '1h' }, 'present }\n', 'present }\nschedule: { every: 1h }\n'],
    ['when', undefined, 'when: { field: *key, is: present }\n', ''],
    ['missing', undefined, '', ''],
  ])('%s: %j', (path, value, from, to) => {
    expect(editYaml(file, [{ path: path.split('.'), value }])).toBe(file.replace(from, () => to));
  });

  test('keeps Windows line ends, and a file without a last line end', () => {
    const windows = 'resource: events\r\nmap:\r\n  title: a # b';
    const changed = editYaml(windows, [
      { path: ['map', 'text'], value: 'c' },
      { path: ['key'], value: ['d', 'e'] },
    ]);
    expect(changed).toBe('resource: events\r\nmap:\r\n  title: a # b\r\n  text: c\r\nkey: [ d, e ]');
  });

  test.each([
    ['a value to which another one refers', file, ['key']],
    ['a part of an alias', 'a: &x { b: 1 }\nc: *x\n', ['c', 'b']],
    ['a part of a list', 'a:\n  - b: 1\n', ['a', '0', 'b']],
    ['a file that is a list', '- a\n', ['b']],
  ])('is refused for %s, because something else would change', (_, text, path) => {
    expect(() => editYaml(text, [{ path, value: 'new' }])).toThrow(
      expect.objectContaining({ code: 'FF_EDIT_IMPOSSIBLE' }),
    );
  });

  test.each([
    ['an anchor to which another key refers', 'a: &x b\nc: *x\n', ['a']],
    ['a key between comments in braces', 'a: {\n  b: 1, # b\n  c: 2 # c\n}\n', ['a', 'c']],
    ['a key before a comment in braces', 'a: {\n  b: 1 # b\n  , c: 2\n  , d: 3 # d\n}\n', ['a', 'c']],
  ])('removes no key that is %s', (_, text, path) => {
    const removed = expect.objectContaining({ code: 'FF_EDIT_IMPOSSIBLE' });
    expect(() => editYaml(text, [{ path, value: undefined }])).toThrow(removed);
  });

  test('changes the data as asked, and no line that does not belong to the key', () => {
    fc.assert(
      fc.property(styledFile, fc.nat(), value, (lines, place, wanted) => {
        const { text, paths } = written(lines);
        const path = paths[place % paths.length] ?? [];
        const changed = editYaml(text, [{ path, value: wanted }]);
        expect(parse(changed)).toEqual(withValue(parse(text), path, wanted));
        // What does not belong to the key stays around it, byte by byte.
        const own = lines.flatMap((line, index) => (isInside(line.path, path) ? [index] : []));
        const [first = 0, last = 0] = [own[0], own.at(-1)];
        const before = lines
          .slice(0, first)
          .map(({ line }) => `${line}\n`)
          .join('');
        const after = lines
          .slice(last + 1)
          .map(({ line }) => `${line}\n`)
          .join('');
        expect(changed.startsWith(before)).toBe(true);
        expect(changed.endsWith(after)).toBe(true);
      }),
    );
  });

  test('turns the data of a file into others', () => {
    fc.assert(
      fc.property(
        styledFile,
        fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value, { minKeys: 1, noNullPrototype: true })), {
          minKeys: 1,
          noNullPrototype: true,
        }),
        (lines, wanted) => {
          const { text } = written(lines);
          expect(parse(editYaml(text, changesBetween(parse(text), wanted)))).toEqual(wanted);
        },
      ),
    );
  });
});

interface Line {
  line: string;
  path: readonly string[];
}

const name = fc.constantFrom('a', 'b', 'time.start', 'key 2', 'ü', '1');
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('x', '10:00', 'no', '# x', 'a: b', '${V}', 'a, b', ' two  blanks ', 'one\ntwo'),
);
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.array(text, { maxLength: 2 }),
  fc.dictionary(name, text, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
);
const comment = fc.constantFrom('', ' # why', '  #', '   ');

/** The lines of a file with keys on two levels, in the styles in which people write them. */
const styledFile = fc
  .uniqueArray(
    fc.record({
      key: name,
      inner: fc.option(
        fc.uniqueArray(fc.record({ key: name, value: text, note: comment }), {
          minLength: 1,
          maxLength: 3,
          selector: (one) => one.key,
        }),
      ),
      value: text,
      note: comment,
      above: fc.constantFrom<readonly string[]>([], ['# note'], ['']),
      isInBraces: fc.boolean(),
      indent: fc.constantFrom('  ', '    '),
    }),
    { minLength: 1, maxLength: 4, selector: (one) => one.key },
  )
  .map((sections) =>
    sections.flatMap(({ key, inner, value: only, note, above, isInBraces, indent }): Line[] => {
      const head = above.map((line) => ({ line, path: [] }));
      if (inner === null) return [...head, { line: `${quoted(key)}: ${JSON.stringify(only)}${note}`, path: [key] }];
      const pairs = inner.map((one) => `${quoted(one.key)}: ${JSON.stringify(one.value)}`);
      if (isInBraces) return [...head, { line: `${quoted(key)}: { ${pairs.join(', ')} }${note}`, path: [key] }];
      const lines = inner.map((one, index) => ({ line: `${indent}${pairs[index]}${one.note}`, path: [key, one.key] }));
      return [...head, { line: `${quoted(key)}:${note}`, path: [key] }, ...lines];
    }),
  );

function quoted(key: string): string {
  return key === '1' ? '"1"' : key;
}

function written(lines: readonly Line[]) {
  return {
    text: lines.map(({ line }) => `${line}\n`).join(''),
    paths: lines.map(({ path }) => path).filter((path) => path.length > 0),
  };
}

function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return outer.every((part, index) => path[index] === part) && path.length >= outer.length;
}

function withValue(values: Record<string, unknown>, [key = '', ...rest]: readonly string[], wanted: unknown): unknown {
  return {
    ...values,
    [key]: rest.length === 0 ? wanted : withValue(values[key] as Record<string, unknown>, rest, wanted),
  };
}
