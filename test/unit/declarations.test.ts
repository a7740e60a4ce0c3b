import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const usesClient = `import { CmsError, type CmsEvent, createCmsClient } from './types/src/cms/client.js';
const cms = createCmsClient({ baseUrl: 'https://www.example.edu', token: 't' });
const concert = { title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: { type: 'timed' }, seats: 80 };
export const created: Promise<CmsEvent> = cms.events().create(concert, { timeoutMs: 1_000 });
export const title: Promise<string | null | undefined> = created.then((event) => event.title);
export const isBusy = (error: unknown) => error instanceof CmsError && error.code === 'FF_CMS_RATE_LIMITED';
`;
// Inside the repository, where the packages of the types are found.
mkdirSync(join(root, '.cache'), { recursive: true });
const dir = mkdtempSync(join(root, '.cache/types-'));
symlinkSync(join(root, 'dist'), join(dir, 'types'));
writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
afterAll(() => rmSync(dir, { recursive: true }));

test('The types of the exports import only packages that npm installs with feedferry', () => {
  const { dependencies, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const modules = Object.values<string>(exports).filter((path) => path.endsWith('.js'));
  const imported = importedBy(modules.map((path) => join(root, path.replace(/\.js$/, '.d.ts'))));
  expect(imported).toContain('zod');
  expect(imported.filter((name) => !(name in dependencies))).toEqual([]);
});

test('The types of the client compile in a project that has neither the types of Node nor those of undici', () => {
  expect(compile(usesClient, { lib: ['es2023', 'dom', 'dom.iterable'], types: [] })).toBe('');
});

// `scripts/smoke.sh` compiles a program that uses the sandbox, in a project that has only the types of Node.

/** Returns the packages that declarations import, and those that they import. */
function importedBy(files: string[]): string[] {
  const read = new Set<string>();
  const packages = new Set<string>();
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    if (read.has(file)) continue;
    read.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from |import\(|import )["']([^"']+)["']/g)) {
      if (name.startsWith('.')) files.push(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
      else packages.add(name);
    }
  }
  return [...packages];
}

function compile(program: string, options: { lib: string[]; types: string[] }): string {
  writeFileSync(join(dir, 'program.ts'), program);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: false, noEmit: true },
    ...options,
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return tsc('-p', dir);
}

function tsc(...args: string[]): string {
  return execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], { encoding: 'utf8' });
}
