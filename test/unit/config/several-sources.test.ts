import { describe, expect, test } from 'vitest';
import { defineSync } from '../../../src/config/define-sync.ts';
import { events, loadSync, problems, syncProblems, target } from './setup.ts';

const two = `resource: events
sources:
  zoo: { connector: json, url: "https://example.edu/zoo.json", auth: { bearer: s3cret } }
  art:
    connector: csv
    url: ./art.csv
    delimiter: ";"
    key: { field: number, normalize: [] }
    map: { title: name }
    attachments: { image: picture }
    when: { field: public, is: yes }
    renamedFrom: art-events
key: id
map: { title: label }
attachments: { poster: file }
window: { past: 30d }
`;
const csv = 'connector: csv, url: a.csv';
const sync = (sources: string, more = 'key: id') => `resource: events\nsources: ${sources}\n${more}\n`;

const mistakesIn = (text: string) => {
  try {
    loadSync(text, { 'syncs/b.yaml': events });
    return [];
  } catch {
    return syncProblems(text, { 'syncs/b.yaml': events });
  }
};

describe('A sync with several sources', () => {
  test('has each of them as a sync with only this source, best first', () => {
    const { sources = [], ...loaded } = loadSync(`${two}renamedFrom: events-before\nmerge: { fill: { place: art } }\n`);
    expect(sources.map(({ name }) => name)).toEqual(['zoo', 'art']);
    const [zoo, art] = sources;
    expect(zoo?.sync).toMatchObject({
      source: { connector: 'json', url: 'https://example.edu/zoo.json', feed: { auth: { bearer: 's3cret' } } },
      key: { fields: ['id'], normalize: ['trim', 'nfc'], prefix: 'zoo/' },
      map: { title: { field: 'label' } },
      attachments: { poster: { field: 'file' } },
      window: { pastDays: 30 },
    });
    expect(art?.renamedFrom).toEqual(['art-events']);
    expect(art?.sync).toMatchObject({
      name: 'a',
      source: { connector: 'csv', options: { delimiter: ';' } },
      key: { fields: ['number'], normalize: [], prefix: 'art/' },
      map: { title: { field: 'name' } },
      attachments: { image: { field: 'picture' } },
      when: { field: 'public', is: ['yes'] },
      window: { pastDays: 30 },
    });
    expect(art?.sync.renamedFrom).toBeUndefined();
    expect(loaded).toMatchObject({
      name: 'a',
      source: zoo?.sync.source,
      renamedFrom: ['events-before'],
      attachments: { poster: { field: 'file' }, image: { field: 'picture' } },
      merge: { fill: { place: ['art'] } },
    });
  });

  test('needs no merge, and may have one source', () => {
    expect(loadSync(sync(`{ only: { ${csv} } }`))).toMatchObject({ sources: [{ name: 'only' }], merge: { fill: {} } });
  });

  test('may have a window for each of them', () => {
    const text = two.replace('when: {', 'window: { to: 2031-03-31 }\n    when: {');
    const { window, sources = [] } = loadSync(text);
    expect(window).toEqual({ pastDays: 30 });
    expect(sources.map(({ sync }) => sync.window)).toEqual([{ pastDays: 30 }, { to: '2031-03-31' }]);
  });

  test('takes its folder of files only for the sources that are files', () => {
    const { sources } = loadSync(`${two}attachmentsDir: ./files\n`);
    expect(sources?.map(({ sync }) => sync.attachmentsDir !== undefined)).toEqual([false, true]);
  });

  test.each([
    ['names no feed', sync('{}'), '2:10: sources must name at least one source'],
    ['is a list', sync(`[{ ${csv} }]`), '2:10: sources must be a mapping of names to sources'],
    ['is empty', sync(''), '2:10: sources must be a mapping of names to sources, not ""'],
    [
      'has a text for a source',
      sync('{ a: ./a.csv }'),
      '2:15: sources.a must be a mapping with the keys of source, not "./a.csv"',
    ],
    [
      'has a wrong option of a connector',
      sync(`{ a: { ${csv}, delimeter: x } }`),
      '2:45: sources.a.delimeter is not a known key; did you mean "delimiter"?',
    ],
    [
      'has a source without a connector',
      sync('{ a: { url: a.csv } }'),
      '2:12: sources.a.connector must be one of json, csv',
    ],
    [
      'has a source without a key',
      sync(`{ a: { ${csv} } }`, ''),
      '2:12: sources.a.key is required: the format has no key of its own. Name the field that identifies a record, such as `key: id`',
    ],
    [
      'has a wrong attribute in a source',
      sync(`{ a: { ${csv}, map: { titel: x } } }`),
      '2:52: sources.a.map.titel is not an attribute of events; did you mean "title"?',
    ],
    [
      'has a wrong attribute for all sources',
      sync(`{ a: { ${csv} }, b: { ${csv} } }`, 'key: id\nmap: { titel: x }'),
      '4:8: map.titel is not an attribute of events; did you mean "title"?',
    ],
    [
      'has a schedule in a source',
      sync(`{ a: { ${csv}, schedule: { every: 1d } } }`),
      '2:45: sources.a.schedule is shared by all sources of the sync; write it beside "sources"',
    ],
    [
      'has a wrong window in a source',
      sync(`{ a: { ${csv}, window: { past: -1 } } }`),
      '2:61: sources.a.window.past needs a unit: "-1"; write -1d',
    ],
    [
      'has a feed of changes',
      sync(`{ a: { ${csv}, partial: true } }`),
      '2:45: sources.a.partial is not supported with several sources',
    ],
    [
      'names a source by a number',
      sync(`{ b: { ${csv} }, 1: { ${csv} } }`),
      '2:47: sources.1 must have a name with a letter: sources named by numbers have no order',
    ],
    [
      'has a name that no key may have',
      sync(`{ a/b: { ${csv} } }`),
      '2:12: sources.a/b must have a name of letters, digits, "-", "_" and ".", at most 100 characters',
    ],
    [
      'reads standard input twice',
      sync(`{ a: { connector: csv, url: "-" }, b: { connector: csv, url: "-" } }`),
      '2:10: sources must not read standard input more than once',
    ],
    [
      'has a source beside them',
      sync(`{ a: { ${csv} } }`, `source: { ${csv} }\nkey: id`),
      '3:1: source cannot be combined with sources: move it into them',
    ],
    [
      'is for accounts',
      sync(`{ a: { ${csv} } }`).replace('events', 'accounts'),
      '2:1: sources is only allowed for events',
    ],
  ])('reports one that %s', (_, text, mistake) => expect(syncProblems(text)).toEqual([mistake]));

  test.each([
    ['c', []],
    ['b', ['2:58: sources.a.renamedFrom names a sync that has a file: "b"']],
    ['a', ['2:58: sources.a.renamedFrom names this sync itself, so its file must be renamed first: "a"']],
    ['[c, c]', ['2:62: sources.a.renamedFrom[1] names a former sync for the second time: "c"']],
    ['d', ['2:58: sources.a.renamedFrom names a former sync for the second time: "d"']],
  ])('takes over the records of former syncs that have no file, each once: %s', (former, mistakes) => {
    const text = sync(`{ a: { ${csv}, renamedFrom: ${former} } }`, 'key: id\nrenamedFrom: d');
    expect(mistakesIn(text)).toEqual(mistakes);
  });
});

describe('The rule of merging', () => {
  const merge = (rule: string) =>
    syncProblems(sync(`{ art: { ${csv} }, zoo: { ${csv} } }`, `key: id\nattachments: { image: a }\nmerge: ${rule}`));

  test('names attributes that can be compared, and whole attributes or files with their sources', () => {
    const text = sync(`{ art: { ${csv} }, zoo: { ${csv} } }`, 'key: id\nattachments: { image: a }\n');
    const rule =
      'merge: { match: [title, date, endDate, time.start, place], fill: { image: art, place: [zoo, art] } }\n';
    expect(loadSync(text + rule).merge).toEqual({
      match: ['title', 'date', 'endDate', 'time.start', 'place'],
      fill: { image: ['art'], place: ['zoo', 'art'] },
    });
  });

  test.each([
    ['{ match: [] }', '5:17: merge.match must not be empty'],
    ['{ match: [start] }', '5:18: merge.match[0] is not stored by the CMS; use date, endDate, time.start: "start"'],
    ['{ match: [titel] }', '5:18: merge.match[0] is not an attribute of events: "titel"; did you mean "title"?'],
    ['{ match: [image] }', '5:18: merge.match[0] is a file, which cannot be compared: "image"'],
    [
      '{ fill: { place: art, room: zo } }',
      '5:36: merge.fill.room is not one of the sources: "zo"; did you mean "zoo"?',
    ],
    [
      '{ fill: { place: [art, louvre] } }',
      '5:31: merge.fill.place[1] is not one of the sources, which are art, zoo: "louvre"',
    ],
    ['{ fill: { place: [] } }', '5:25: merge.fill.place must not be empty'],
    ['{ fill: { address.city: art } }', '5:18: merge.fill.address.city must be a whole attribute, not a part of one'],
    ['{ fill: { titel: art } }', '5:18: merge.fill.titel is not an attribute of events; did you mean "title"?'],
    ...[
      'date',
      'endDate',
      'time',
      'time.end',
      'isMultiDay',
      'spansMultipleDays',
      'showOnAllDates',
      'repeats',
      'start',
    ].map((name) => [
      `{ fill: { ${name}: art } }`,
      `5:18: merge.fill.${name} cannot be filled: days and times always come together, from the source that publishes the event`,
    ]),
    ['{ by: title }', '5:10: merge.by is not a known key; the known keys are match, fill'],
  ])('is checked: %s', (rule, mistake) => expect(merge(rule)).toEqual([mistake]));

  test('needs several sources', () =>
    expect(syncProblems(`${events}merge: { match: [title] }\n`)).toEqual(['6:1: merge is only allowed with sources']));
});

test('A sync with several sources may be a TypeScript file', () => {
  const text = `import { defineSync } from 'feedferry';
export default defineSync({
  resource: 'events',
  sources: {
    art: { connector: 'csv', url: './art.csv', key: 'id', map: ({ name }) => ({ title: String(name) }) },
    zoo: { connector: 'json', url: './zoo.json', key: 'id', schedule: { every: '1d' } },
  },
});
`;
  expect(problems({ 'feedferry.yaml': target, 'syncs/a.ts': text })).toEqual([
    'syncs/a.ts:6:61: sources.zoo.schedule is shared by all sources of the sync; write it beside "sources"',
  ]);
});

test('The types of a sync in TypeScript know its sources', () => {
  const art = { connector: 'csv', url: './art.csv', key: 'id', map: () => ({ title: 'x' }) };
  const merge = { match: ['title', 'date'], fill: { description: 'art' } };
  expect(defineSync({ resource: 'events', sources: { art }, merge, window: { past: '30d' } }).sources).toEqual({ art });
  // @ts-expect-error either one source or several
  defineSync({ resource: 'events', source: art, sources: { art } });
  // @ts-expect-error accounts have one source
  defineSync({ resource: 'accounts', sources: { art } });
  // @ts-expect-error a key of a source
  defineSync({ resource: 'events', sources: { art: { ...art, when: 'always' } } });
});
