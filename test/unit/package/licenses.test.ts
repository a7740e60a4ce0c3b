import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { licensePage, unwantedLicenses } from '../../../scripts/packages/licenses.ts';
import { packagesByUse } from '../../../scripts/packages/shipped.ts';

const root = join(import.meta.dirname, '../../..');

test('All dependencies have licenses that are on the list', () => {
  expect(unwantedLicenses()).toEqual([]);
});

test('The packages are found where they are used', () => {
  const { bundled, installed, forRedis, development } = packagesByUse();
  const names = [bundled, installed, forRedis, development].map((packages) => packages.map(({ name }) => name));
  expect(names[0]).toEqual(expect.arrayContaining(['commander', 'fastify', 'cldr-core', 'htmx.org']));
  expect(names[1]).toEqual(['cldr-core', 'zod']);
  expect(names[2]).toEqual(expect.arrayContaining(['bullmq', 'ioredis', 'luxon', '@bull-board/ui']));
  expect(names[3]).toEqual(expect.arrayContaining(['vitest', 'typescript']));
  expect(names[3]).not.toContain('bullmq');
});

test('The page of licenses is current (npm run docs:licenses)', () => {
  expect(readFileSync(join(root, 'docs/development/licenses.md'), 'utf8')).toBe(licensePage());
});

test('The bill of materials lists what is shipped, with its hashes, and nothing else', () => {
  const { bundled, installed, forRedis } = packagesByUse();
  const script = join(root, 'scripts/packages/sbom.ts');
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    cwd: root,
    encoding: 'utf8',
  });
  const bom = JSON.parse(output) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: Array<{ name: string; version: string; scope: string; hashes: unknown[] }>;
  };
  expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'feedferry']);
  const ids = (list: ReadonlyArray<{ name: string; version: string }>) =>
    [...new Set(list.map(({ name, version }) => `${name}@${version}`))].toSorted();
  expect(ids(bom.components)).toEqual(ids([...bundled, ...installed, ...forRedis]));
  expect(bom.components.find(({ name }) => name === 'bullmq')?.scope).toBe('optional');
  expect(bom.components.find(({ name }) => name === 'fastify')?.scope).toBe('required');
  expect(bom.components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
});
