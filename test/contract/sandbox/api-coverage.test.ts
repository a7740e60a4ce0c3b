import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/development/api-coverage.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| row |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', sandbox = '', client = '']) => ({ name, sandbox, client }));

test('Every row names existing test files of its own side, or a reason', () => {
  for (const { name, ...sides } of rows) {
    for (const [side, cell] of Object.entries(sides)) {
      const files = [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      if (files.length === 0) expect(cell, name).toMatch(/^– \w/);
      for (const file of files) {
        expect(file, name).toMatch(side === 'sandbox' ? /^contract\/sandbox\// : /^(contract\/cms-client|unit\/cms)/);
        expect(existsSync(join(root, 'test', `${file}.test.ts`)), `${name}: ${file}`).toBe(true);
      }
    }
  }
});

test('The counts at the top of the page are correct', () => {
  const covers = (cell: string) => cell.includes('`');
  const sandbox = rows.filter((row) => covers(row.sandbox)).length;
  const client = rows.filter((row) => covers(row.client)).length;
  const neither = rows.filter((row) => !covers(row.sandbox) && !covers(row.client)).length;
  const said = page.slice(0, page.indexOf('\n## ')).match(/\d+/g)?.map(Number);
  expect(said).toEqual([rows.length, sandbox, client, neither]);
});

test('No section has a row twice', () => {
  for (const section of page.split('\n## ').slice(1)) {
    const names = section.match(/^\| [^|]+/gm) ?? [];
    expect(new Set(names).size).toBe(names.length);
  }
});
