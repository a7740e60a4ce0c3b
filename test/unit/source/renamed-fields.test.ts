import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { SyncConfig } from '../../../src/config/types.ts';
import { renamedLines } from '../../../src/source/renamed-fields.ts';

const sync = {
  resource: 'events',
  key: { fields: ['id'], normalize: ['trim'] },
  map: {
    title: { field: 'title' },
    start: { field: 'starts', format: 'dd.MM.yyyy HH:mm' },
    category: { field: 'kind', lookup: { a: 'b' } },
    both: { template: '{{ title }}' },
  },
  attachments: { image: { field: 'photo' } },
  source: {},
} as unknown as SyncConfig;
const all = ['id', 'title', 'starts', 'kind', 'photo'];
const feed = (...changes: Array<[string, string]>) => all.map((name) => new Map(changes).get(name) ?? name);
const lines = (...changes: Array<[string, string]>) =>
  renamedLines(
    sync,
    changes.map(([from]) => from),
    feed(...changes),
  );

describe('The lines for renamed fields', () => {
  test('name similar ones, and are YAML to be pasted', () => {
    const found = lines(['title', 'Titel'], ['starts', 'start'], ['id', 'ID'], ['photo', 'Photos']) ?? '';
    expect(found.split('\n')).toEqual([
      'key: { field: ID, normalize: [trim] }',
      'map:',
      '  title: Titel',
      '  start: { field: start, format: "dd.MM.yyyy HH:mm" }',
      'attachments:',
      '  image: Photos',
    ]);
    expect(parse(found)).toMatchObject({ map: { start: { format: 'dd.MM.yyyy HH:mm' } } });
  });

  test.each([
    ['Event name', 'title: Event name'],
    ['No.: 1', 'title: "No.: 1"'],
    ['yes', 'title: "yes"'],
    ['#', 'title: "#"'],
  ])('guess the only one that is not used: %s', (name, line) => {
    const found = lines(['title', name]);
    // A name with a point would be a path.
    expect(found).toBe(name.includes('.') ? undefined : `map:\n  ${line}`);
  });

  test('are absent if nothing can be guessed', () => {
    expect(lines(['title', 'Bezeichnung'], ['photo', 'Bild'])).toBeUndefined();
    expect(renamedLines(sync, ['title'], ['id', 'starts', 'kind', 'photo'])).toBeUndefined();
  });

  test('leave out what is too long to repeat', () => {
    expect(lines(['kind', 'kinds'])).toBe('map:\n  category: { field: kinds, … }');
  });
});
