import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineSync } from '../../../../src/config/define-sync.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { sha256 } from '../../../../src/core/hash.ts';
import { connectors, env, folder, problems, target } from '../setup.ts';

const script = `import { defineSync } from 'feedferry';

interface Show { name: string }

export default defineSync<Show>({
  resource: 'events',
  source: { connector: 'csv', url: './shows.csv', delimiter: ';' },
  key: 'id',
  window: { past: '30d' },
  map: ({ name }) => ({ title: name.toUpperCase() }),
});
`;

describe('TypeScript sync files', () => {
  test('A TypeScript file is a sync with a function for a map', () => {
    const dir = folder({ 'feedferry.yaml': target, 'syncs/shows.ts': script, 'syncs/shows.d.ts': '' });
    const [sync] = loadConfig(dir, connectors, env).syncs;
    expect(sync).toMatchObject({
      name: 'shows',
      resource: 'events',
      key: { fields: ['id'], normalize: ['trim', 'nfc'] },
      source: { url: join(dir, 'syncs/shows.csv'), options: { delimiter: ';' } },
      window: { pastDays: 30 },
      scriptHash: sha256(script),
    });
    expect(sync?.map).toBeUndefined();
    expect(sync?.mapFunction?.({ name: 'a' })).toEqual({ title: 'A' });
  });

  test('A TypeScript file may have a map of rules', () => {
    const rules = script.replace('({ name }) => ({ title: name.toUpperCase() })', "{ title: 'name' }");
    const [sync] = loadConfig(folder({ 'feedferry.yaml': target, 'syncs/a.ts': rules }), connectors, env).syncs;
    expect(sync?.map).toEqual({ title: { field: 'name' } });
  });

  test.each([
    [
      'an unknown key',
      script.replace('window:', 'windw:'),
      'syncs/a.ts:9:3: windw is not a known key; did you mean "window"?',
    ],
    ['a wrong value', script.replace("'30d'", '30'), 'syncs/a.ts:9:13: window.past needs a unit; write 30d'],
    [
      'a wrong option',
      script.replace("';'", "';;'"),
      'syncs/a.ts:7:51: source.delimiter must have a length of at most 1',
    ],
    [
      'no default export',
      script.replace('default defineSync', 'const a = defineSync'),
      'syncs/a.ts:1:1: the file cannot be loaded: it has no default export made by defineSync',
    ],
    [
      'an await outside a function',
      script.replace('interface Show', "const rows = await fetch('https://example.edu/');\n\ninterface Show"),
      /^syncs\/a\.ts:3:14: the file cannot be loaded: it, or a module that it imports, uses `await` outside a function, and a sync file is loaded without waiting\./,
    ],
    ['what is no TypeScript', script.replace("key: 'id'", 'key: : '), /^syncs\/a\.ts:8:1: the file cannot be loaded: /],
    ['what only a compiler can', `enum A { B }\n${script}`, /^syncs\/a\.ts:1:1: the file cannot be loaded: .*enum/],
    [
      'what fails',
      `${script}\nthrow new Error('no luck');\n`,
      /^syncs\/a\.ts:\d+:\d+: the file cannot be loaded: no luck/,
    ],
  ])('The mistake %s is reported with its place', (_, text, message) => {
    const found = problems({ 'feedferry.yaml': target, 'syncs/a.ts': text });
    expect(found[0]).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('A TypeScript file must not have the name of another sync', () => {
    const yaml = 'resource: events\nsource: { connector: csv, url: a }\nkey: id\nmap: { title: a }\n';
    expect(problems({ 'feedferry.yaml': target, 'syncs/a.ts': script, 'syncs/a.yaml': yaml })).toEqual([
      'syncs/a.yaml:1:1: another sync file has the same name, "a"',
    ]);
  });
});

test('The types of a definition reveal mistakes', () => {
  const common = { source: { connector: 'csv', url: 'a' }, key: 'id' };
  defineSync<{ name: string }>({ ...common, resource: 'events', map: ({ name }) => ({ title: name, anything: [1] }) });
  // @ts-expect-error an event needs a title
  defineSync({ ...common, resource: 'events', map: () => ({ date: '2026-01-01' }) });
  // @ts-expect-error it is no text
  defineSync({ ...common, resource: 'accounts', map: () => ({ email: ['a'] }) });
  // @ts-expect-error there is no such field
  defineSync<{ name: string }>({ ...common, resource: 'accounts', map: ({ nam }) => ({ firstName: nam }) });
  // @ts-expect-error a duration is a text
  defineSync({ ...common, resource: 'events', window: { past: 30 } });
});
