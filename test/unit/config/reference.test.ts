import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectors } from '../../../connectors/index.ts';
import { referenceFiles, withReferenceTables } from '../../../scripts/config-reference.ts';

const root = join(import.meta.dirname, '../../..');
const kinds = connectors.map(({ kind }) => kind);

test.each(referenceFiles)('%s has the keys of the schemas; `npm run docs:config` writes them', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(withReferenceTables(text, kinds)).toBe(text);
});

test('every key of every table is described', () => {
  const names = ['target', 'sync', 'source', 'when', 'rule'];
  const places = names.map((name) => `<!-- keys of ${name} -->\n\n<!-- end of keys -->`).join('\n');
  const rows = withReferenceTables(places, kinds)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
});

test('a table that does not exist is told', () =>
  expect(() => withReferenceTables('<!-- keys of nothing -->\n\n<!-- end of keys -->', kinds)).toThrow('nothing'));
