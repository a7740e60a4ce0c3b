import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { assetSources } from '../../src/console/assets.ts';

const root = join(import.meta.dirname, '../..');
const { dependencies, peerDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const installed = { ...dependencies, ...peerDependencies };
const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.c?js$/.test(file) && !file.startsWith('.cache'))
  .map((file) => ({ file, code: read(`dist/${file}`) }));
/** Used only if somebody has installed them, or in files that ajv would write. */
const OPTIONAL = ['pg-native', 'pg-cloudflare', 'supports-color', 'ajv', 'ajv-formats'];

test('The bundle imports only packages that users install: dependencies, and optional peers', () => {
  const imported = files.flatMap(({ code }) => [
    ...[...code.matchAll(/^import .*? from "([^".][^"]*)";$/gm), ...code.matchAll(/\bimport\("([^".][^"]*)"\)/g)],
    ...code.matchAll(/\b(?:__require|require)\("([^".][^"]*)"\)/g),
  ]);
  const names = new Set(imported.map(([, name = '']) => name).filter((name) => !isBuiltin(name)));
  expect(names).toContain('bullmq');
  expect([...names].filter((name) => !(packageOf(name) in installed) && !OPTIONAL.includes(packageOf(name)))).toEqual(
    [],
  );
});

test('Each package that is loaded when it is first used is beside the chunks', () => {
  const required = files.flatMap(({ file, code }) =>
    [...code.matchAll(/\brequire\("(\.\.?\/packages\/[^"]*)"\)/g)].map(([, path = '']) => join(file, '..', path)),
  );
  expect(required).toContain('packages/sanitize-html.cjs');
  expect(required.filter((path) => !files.some(({ file }) => file === path))).toEqual([]);
});

test('The files of the bundle are plain ASCII', () => {
  const others = files.filter(({ code }) => /[^\0-\x7f]/.test(code));
  expect(others.map(({ file }) => file)).toEqual([]);
});

test('The files that the pages of the console load are in the package', () => {
  const shipped = readdirSync(join(root, 'dist/assets'));
  expect(shipped.toSorted()).toEqual(
    assetSources(root)
      .map((file) => basename(file))
      .toSorted(),
  );
});

test('The description of the CMS API is in the package', () => {
  expect(read('dist/cms-api.yaml')).toBe(read('src/sandbox/openapi/cms-api.yaml'));
});

test('The bundle names the license of each package whose code it contains', () => {
  const entries = read('dist/THIRD-PARTY-LICENSES.txt')
    .split(/^-{80}$/m)
    .slice(1);
  const names = entries.map((entry) => /^(\S+) \d/.exec(entry.trim())?.[1]);
  for (const name of [
    'commander',
    'zod',
    'undici',
    'kysely',
    'sanitize-html',
    'htmlparser2',
    'jsonata',
    'fastify',
    'pg',
    'node-ical',
  ]) {
    expect(names).toContain(name);
  }
  expect(names).not.toContain('bullmq');
  expect(entries.filter((entry) => entry.trim().length < 40)).toEqual([]);
});

function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
