import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const environment = read('src/app/environment.ts');

/** The environment variables that the program reads, and those that a config names usually. */
export const knownVariables: ReadonlySet<string> = new Set([
  ...namesIn(environment, /\bvariables\.([A-Z_]+)/g),
  ...namesIn(environment, /\bsecretOf\('([A-Z_]+)'/g).flatMap((name) => [name, `${name}_FILE`]),
  ...namesIn(read('config/feedferry.yaml'), /\$\{([A-Z_]+)/g),
  'CMS_API_TOKEN_FILE',
]);

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
