import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDir } from '../../support/engines.ts';
import { loadedModules, packagesOf } from '../../support/loaded-modules.ts';

const root = join(import.meta.dirname, '../../..');
const EXAMPLES = ['--config', 'examples'];
/** Packages of which a process loads none to read local feeds. */
const NOT_TO_READ = [
  ...['bullmq', 'fastify', 'ioredis', 'kysely', 'nodemailer', 'pg', 'pino'],
  ...['prom-client', 'undici', 'chardet', 'fflate', 'file-type'],
];

/** Returns what a process of the compiled program loads; none of it is a source. */
async function modulesOf(script: string, ...args: string[]): ReturnType<typeof loadedModules> {
  const { files, exitCode } = await loadedModules([`dist/src/${script}.js`, ...args]);
  expect(files.filter((file) => /^(src|connectors)\//.test(file))).toEqual([]);
  return { files: files.map((file) => file.replace(/^dist\//, '')), exitCode };
}

describe('The compiled program', () => {
  test('loads nothing but two small packages to print the help', async () => {
    for (const args of [['--help'], ['--version'], ['snyc']]) {
      const { files } = await modulesOf('cli/main', ...args);
      expect(packagesOf(files)).toEqual(['commander', 'fast-string-truncated-width']);
      expect(files.filter((file) => /^(connectors|src\/(?!cli\/|app\/version))/.test(file))).toEqual([]);
    }
  });

  test('loads no package to validate the examples that only other commands need', async () => {
    const { files, exitCode } = await modulesOf('cli/main', 'validate', ...EXAMPLES);
    expect(exitCode).toBe(0);
    expect(packagesOf(files)).toEqual(expect.arrayContaining(['zod', 'yaml']));
    const heavy = [...NOT_TO_READ, 'sanitize-html'];
    expect(packagesOf(files).filter((name) => heavy.includes(name))).toEqual([]);
  });

  test('loads neither ledger nor HTTP client to preview a local feed', async () => {
    const { files } = await modulesOf('cli/main', 'preview', 'museum-events', '--limit', '1', ...EXAMPLES);
    expect(packagesOf(files)).toEqual(expect.arrayContaining(['sanitize-html', 'liquidjs']));
    // This feed is a table.
    const others = ['cldr-core', '@streamparser/json'];
    expect(packagesOf(files).filter((name) => [...NOT_TO_READ, ...others].includes(name))).toEqual([]);
    expect(files.filter((file) => /^src\/(ledger|cms|queue|limits)\//.test(file))).toEqual([]);
  });

  test('loads nothing but the room of the client, the core and three packages as feedferry/cms', async () => {
    const { files } = await modulesOf('cms/client');
    expect(packagesOf(files)).toEqual(['is-network-error', 'p-retry', 'undici', 'zod']);
    expect(files.filter((file) => /^(connectors|src\/(?!cms\/|core\/))/.test(file))).toEqual([]);
  });
});

test('The program keeps compiled code beside it, and runs without if that is damaged or cannot be written', () => {
  using dir = temporaryDir();
  const cache = join(dir.path, 'dist/.cache');
  const isWanted = (path: string) => !path.includes('.cache');
  for (const name of ['dist', 'package.json'])
    cpSync(join(root, name), join(dir.path, name), { recursive: true, filter: isWanted });
  symlinkSync(join(root, 'node_modules'), join(dir.path, 'node_modules'));
  // An environment of its own: that of the tests names another folder.
  const print = () =>
    execFileSync(process.execPath, [join(dir.path, 'dist/src/cli/main.js'), '--version'], { env: {} });
  const version = print();
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(kept.length).toBeGreaterThan(1);
  for (const { parentPath, name } of kept) writeFileSync(join(parentPath, name), 'damaged');
  expect(print()).toEqual(version);
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'not a folder');
  expect(print()).toEqual(version);
});
