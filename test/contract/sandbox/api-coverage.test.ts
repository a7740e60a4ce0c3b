import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from './openapi/described.ts';
import { type ApiSchema, apiDescription, type Described, resolved } from './openapi/description.ts';

const tests = join(import.meta.dirname, '../..');
const page = readFileSync(join(import.meta.dirname, 'api-coverage.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| row |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', sandbox = '', client = '', description = '']) => ({ name, sandbox, client, description }));

test('Every row names existing test files of its own side, or a reason', () => {
  for (const { name, sandbox, client } of rows) {
    for (const [side, cell] of Object.entries({ sandbox, client })) {
      const files = [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      if (files.length === 0) expect(cell, name).toMatch(/^– \w/);
      for (const file of files) {
        expect(file, name).toMatch(side === 'sandbox' ? /^contract\/sandbox\// : /^(contract\/cms-client|unit\/cms)/);
        expect(existsSync(join(tests, `${file}.test.ts`)), `${name}: ${file}`).toBe(true);
      }
    }
  }
});

test('Every row names places of the OpenAPI description, and the words there', () => {
  for (const { name, description } of rows) {
    const places = [...description.matchAll(/`([^`]+)`(?: "([^"]*)")?/g)];
    expect(places, name).not.toEqual([]);
    for (const [, place = '', words = ''] of places) {
      const part = placeOf(place);
      expect(part, `${name}: ${place}`).toBeDefined();
      const notShown = part?.['x-not-shown']?.join(' ') ?? '';
      const text = name.includes('not shown: ') ? notShown : `${part?.description} ${notShown}`;
      expect(text.replaceAll(/\s+/g, ' '), `${name}: ${place}`).toContain(words);
      if (name.includes('not shown: ')) expect(words, name).not.toBe('');
    }
  }
  expect(operations.find(({ id }) => id === 'listEvents')?.parameters).toContainEqual(
    expect.objectContaining({ name: 'limit', schema: { type: 'integer', default: 20 } }),
  );
});

test('Every attribute of a response has a row', () => {
  const cells = rows.map(({ description }) => description).join(' ');
  const { schemas } = apiDescription().components;
  for (const name of ['Event', 'Account', 'UploadResult', 'EventList', 'AccountList', 'WrittenAccount', 'NewAccount']) {
    for (const property of Object.keys(schemas[name]?.properties ?? {})) {
      // Its own properties have rows.
      if (property !== 'pagination') expect(cells).toContain(`\`${name}.${property}\``);
    }
  }
});

test('The counts at the top of the page are correct', () => {
  const covers = (cell: string) => cell.includes('`');
  const sandbox = rows.filter((row) => covers(row.sandbox)).length;
  const client = rows.filter((row) => covers(row.client)).length;
  const description = rows.filter((row) => covers(row.description)).length;
  const neither = rows.filter((row) => !covers(row.sandbox) && !covers(row.client)).length;
  const said = page.slice(0, page.indexOf('\n## ')).match(/\d+/g)?.map(Number);
  expect(said).toEqual([rows.length, sandbox, client, neither, description]);
});

test('No section has a row twice', () => {
  for (const section of page.split('\n## ').slice(1)) {
    const names = section.match(/^\| [^|]+/gm) ?? [];
    expect(new Set(names).size).toBe(names.length);
  }
});

/** Finds a part of the description: "info", "tag Files", "listEvents.limit", "createEvent.201", "Event.time.start". */
function placeOf(place: string): Described | undefined {
  const { info, servers, tags, components, ...description } = apiDescription();
  const [first = '', ...path] = place.split('.');
  const [second = ''] = path;
  if (first === 'info') return info;
  if (first === 'server') return servers[0];
  if (first === 'headers') return description['x-request-headers'][second] === undefined ? undefined : {};
  if (first.startsWith('tag ')) return tags.find(({ name }) => `tag ${name}` === first);
  if (first in components.securitySchemes) return components.securitySchemes[first];
  const operation = operations.find(({ id }) => id === first);
  if (!operation) return propertyAt(components.schemas[first], path);
  if (path.length === 0) return operation.operation;
  if (second === 'body') return operation.bodySchema;
  return operation.responses[second] ?? operation.parameters.find(({ name }) => name === second);
}

function propertyAt(schema: ApiSchema | undefined, [name, ...path]: string[]): ApiSchema | undefined {
  if (!schema || name === undefined) return schema && resolved(schema);
  const { properties, items } = resolved(schema);
  return propertyAt((items ?? { properties }).properties?.[name], path);
}
