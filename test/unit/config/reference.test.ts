import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../connectors/index.ts';
import { listsOfCommands } from '../../../scripts/command-lists.ts';
import { referenceFiles, tablesOfKeys, withReferenceTables } from '../../../scripts/config-reference.ts';
import { listsOfRecords } from '../../../scripts/record-lists.ts';

const root = join(import.meta.dirname, '../../..');
const tables = tablesOfKeys(connectors.map(({ kind }) => kind));
const lists = { ...listsOfRecords(), ...(await listsOfCommands()) };
const files = referenceFiles(join(root, 'docs'));

const emptyTable = (name: string) => `<!-- keys of ${name} -->\n<!-- end of keys -->`;

describe('The generated tables in the docs', () => {
  test.each(files.map((file) => relative(root, file)))(
    'are up to date in %s (`npm run dev -- docs:config`)',
    (file) => {
      const text = readFileSync(join(root, file), 'utf8');
      expect(withReferenceTables(text, tables, lists)).toBe(text);
    },
  );

  test('appear in the docs once each', () => {
    const markers = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/<!-- (?:keys|list) of (.*?) -->/g),
    ]);
    expect(markers.map(([, name]) => name).toSorted()).toEqual(
      [...Object.keys(tables), ...Object.keys(lists)].toSorted(),
    );
  });

  test.each(Object.keys(tables))('describe every key of "%s"', (name) => {
    const rows = withReferenceTables(emptyTable(name), tables).split('\n').slice(3, -1);
    expect(rows.length).toBe(Object.keys(tables[name]?.keys.shape ?? {}).length);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !row.startsWith('- `') || /:\s*$/.test(row))).toEqual([]);
  });
});

describe('A marker of a table', () => {
  test('is refused if there is no such table', () => {
    expect(() => withReferenceTables(emptyTable('nothing'), tables)).toThrow('no table of keys named "nothing"');
    expect(() => withReferenceTables(emptyTable('two words'), tables)).toThrow('no table of keys named "two words"');
    const list = '<!-- list of missing -->\n<!-- end of list -->';
    expect(() => withReferenceTables(list, tables)).toThrow('There is no list named "missing"');
  });

  test.each([
    ['<!-- keys of when -->\n| a |', '<!-- keys of when -->'],
    [`<!-- keys of when -->\n${emptyTable('rule')}`, '<!-- keys of when -->'],
    [`${emptyTable('rule')}\n<!-- end of keys -->`, '<!-- end of keys -->'],
  ])('is refused if its counterpart is missing: %j', (text, unmatched) => {
    expect(() => withReferenceTables(text, tables)).toThrow(`The marker "${unmatched}" has no counterpart.`);
  });

  test('is filled with its table, even without a line between the two markers', () =>
    expect(withReferenceTables(emptyTable('missing'), tables)).toContain('- `policy` (required): '));
});
