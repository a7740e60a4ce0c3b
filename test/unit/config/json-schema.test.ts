import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { connectors } from '../../../connectors/index.ts';
import { jsonSchemaOf } from '../../../src/config/json-schema.ts';

const examples = join(import.meta.dirname, '../../../examples');
const yaml = (file: string): unknown => parse(readFileSync(join(examples, file), 'utf8'));
const schema = (name: Parameters<typeof jsonSchemaOf>[0]) => JSON.parse(JSON.stringify(jsonSchemaOf(name, connectors)));
const checker = (name: Parameters<typeof jsonSchemaOf>[0]) => z.fromJSONSchema(schema(name));

describe('The JSON Schema', () => {
  test.each([
    ['target', ['feedferry.yaml']],
    [
      'sync',
      readdirSync(join(examples, 'syncs'))
        .filter((file) => file.endsWith('.yaml'))
        .map((file) => `syncs/${file}`),
    ],
    ['tests', readdirSync(join(examples, 'tests')).map((file) => `tests/${file}`)],
  ] as const)('of %s accepts every example', (name, files) => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(checker(name).safeParse(yaml(file)).error, file).toBeUndefined();
  });

  test.each([
    ['a shorthand', { key: 'id' }],
    ['a variable for a number', { source: { connector: 'csv', url: 'a', retries: '${RETRIES}' } }],
    [
      'one format or a list',
      { map: { start: { field: 'a', format: 'd/M/yy' }, end: { field: 'a', format: ['d/M/yy'] } } },
    ],
    ['a format with a key of its own', { key: undefined, source: { connector: 'ical', url: 'a' } }],
    [
      'several sources',
      {
        source: undefined,
        sources: { a: { connector: 'csv', url: 'a', map: { title: 'b' } } },
        merge: { match: ['title'] },
      },
    ],
    ['a lookup file', { map: { extra: { field: 'a', lookup: './a.csv' } } }],
  ])('accepts %s', (_, more) => expect(checker('sync').safeParse({ ...sync, ...more }).success).toBe(true));

  test.each([
    ['an option of another connector', { source: { connector: 'csv', url: 'a', items: '$' } }],
    ['an unknown key of a rule', { map: { title: { feld: 'a' } } }],
    ['a wrong resource', { resource: 'pages' }],
    ['what is missing', { source: undefined }],
    ['both one source and several', { sources: { a: { connector: 'csv', url: 'a' } } }],
    ['a shared key in a source', { source: undefined, sources: { a: { connector: 'csv', url: 'a', missing: {} } } }],
  ])('refuses %s', (_, more) => expect(checker('sync').safeParse({ ...sync, ...more }).success).toBe(false));

  test('refuses an unknown key', () => {
    // zod accepts unknown keys of an object that also has alternatives.
    const { oneOf, ...keys } = schema('sync');
    expect(z.fromJSONSchema(keys).safeParse({ ...sync, windw: {} }).success).toBe(false);
    expect(z.fromJSONSchema(keys).safeParse(sync).success).toBe(true);
  });

  test('has descriptions, and resolves every reference', () => {
    const whole = schema('sync');
    expect(whole.properties.when.description).toMatch(/skipped/);
    expect(whole.properties.map.properties.title).toEqual({ $ref: '#/$defs/rule' });
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name);
    expect(Object.keys(whole.$defs)).toEqual(expect.arrayContaining([...new Set(references)]));
    expect(JSON.stringify(whole)).not.toContain('"absent"');
  });
});

const sync = { resource: 'events', source: { connector: 'csv', url: 'a' }, key: { field: 'id' } };
