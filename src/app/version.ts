import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of feedferry, from its package.json. */
export function version(): string {
  const file = findPackageJSON(import.meta.url);
  if (!file) throw new Error('package.json is missing');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
