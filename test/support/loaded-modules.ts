import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--import', join(import.meta.dirname, 'record-modules.ts')];

/**
 * Runs node in a new process.
 * @param args a script below the root, and its arguments
 * @returns the files that the process loaded, relative to the root, and its exit code
 */
export async function loadedModules(args: readonly string[]): Promise<{ files: string[]; exitCode: number | null }> {
  const child = spawn(process.execPath, [...OPTIONS, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, CMS_API_TOKEN: 'none' },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [urls, [exitCode]] = await Promise.all([
    json(child.stdio[3] as NodeJS.ReadableStream) as Promise<string[]>,
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { files: urls.map((url) => relative(root, fileURLToPath(url))), exitCode };
}

/** Returns the names of the packages to which files belong. */
export function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}
