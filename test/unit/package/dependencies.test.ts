import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** Loaded by their files, which no module imports. */
const ASSETS = ['htmx.org'];
/** `} from 'name/part';` at the start of a line, or `import('name')`. */
const IMPORTED = /(?:^(?:import|export|\}).*\bfrom |\bimport\()'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/gm;

test('What the program imports is an ordinary dependency, and there are no others', () => {
  const files = ['src', 'connectors'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );
  const names = files.flatMap((code) => [...code.matchAll(IMPORTED)].map(([, name = '']) => name));
  const imported = new Set(names.filter((name) => !isBuiltin(name) && name !== 'feedferry'));
  expect(Object.keys(dependencies)).toEqual([...imported, ...ASSETS].toSorted());
});

test('Dependencies have exact versions, those of the lockfile', () => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  }
});
