import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The version of feedferry, from its package.json. */
export function version(): string {
  return (JSON.parse(readFileSync(join(packageDir(), 'package.json'), 'utf8')) as { version: string }).version;
}

/** The folder of the installed package, which has the examples, too. */
export function packageDir(): string {
  const file = findPackageJSON(import.meta.url);
  if (!file) throw new Error('package.json is missing');
  return dirname(file);
}
