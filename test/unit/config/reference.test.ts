import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectors } from '../../../connectors/index.ts';
import { referenceFiles, referenceTables, tableNames, withReferenceTables } from '../../../scripts/config-reference.ts';

const root = join(import.meta.dirname, '../../..');
const kinds = connectors.map(({ kind }) => kind);

test.each(referenceFiles)('%s has the keys of the schemas; `npm run docs:config` writes them', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(withReferenceTables(text, kinds)).toBe(text);
});

test('every table is in exactly one document', () => {
  const names = referenceFiles.flatMap((file) => tableNames(readFileSync(join(root, file), 'utf8')));
  expect(names.toSorted()).toEqual(Object.keys(referenceTables(kinds)).toSorted());
});

test('every key of every table is described', () => {
  const places = Object.keys(referenceTables(kinds)).map((name) => `<!-- keys of ${name} -->\n<!-- end of keys -->`);
  const rows = withReferenceTables(places.join('\n'), kinds)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(90);
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
});

test.each([
  ['an unknown table', '<!-- keys of nothing -->\n<!-- end of keys -->', 'nothing'],
  ['a marker without an end', '<!-- keys of target -->\n| `baseUrl` |', 'counterpart'],
  ['an end without a marker', '| `baseUrl` |\n<!-- end of keys -->', 'counterpart'],
])('%s is an error', (_, markdown, message) => {
  expect(() => withReferenceTables(markdown, kinds)).toThrow(message);
});
