import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Modules that a declaration names: `from './x.ts'`, `import('./x.ts')`. */
const NAMED = /\b(?:from |import\(|import )["']([^"']+)["']/g;

/**
 * Removes the declarations that none of the exports in package.json refers to: tsc writes those of every source that it reads,
 * with imports of packages that users do not have.
 * @param dir the folder that tsc wrote to
 * @returns the packages and modules of Node that the remaining ones import
 */
export function keepExportedTypes(dir: string): string[] {
  const kept = new Set<string>();
  const imported = new Set<string>();
  for (const entry of exportedTypes()) keep(join(dir, entry));
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts') && !kept.has(join(dir, file))) rmSync(join(dir, file));
  }
  return [...imported].toSorted();

  function keep(file: string): void {
    if (kept.has(file)) return;
    kept.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(NAMED)) {
      if (specifier.startsWith('.')) keep(join(dirname(file), typesOf(specifier)));
      else imported.add(specifier);
    }
  }
}

/** Returns the declarations of the exports, relative to dist/. */
function exportedTypes(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const modules = Object.values(exports).filter((path) => path.endsWith('.js'));
  return modules.map((path) => relative('dist', typesOf(path)));
}

function typesOf(module: string): string {
  return module.replace(/\.[jt]s$/, '.d.ts');
}
