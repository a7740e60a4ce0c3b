import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { CodedError } from '../core/errors.ts';

/**
 * Checks that the packages for Redis are installed. They are optional peer dependencies, because most users need none of them.
 * @throws CodedError FF_QUEUE_PACKAGES with the command that installs them
 */
export function checkRedisPackages(from?: string): void {
  const missing = missingRedisPackages(from);
  if (missing.length === 0) return;
  const { file, peerDependencies } = readManifest();
  throw new CodedError(
    'FF_QUEUE_PACKAGES',
    `REDIS_URL is set, but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed. Run: ` +
      installCommand(peerDependencies, dirname(file)),
  );
}

/** Returns the names of the packages for Redis that a module does not find. */
export function missingRedisPackages(from: string = import.meta.url): string[] {
  return Object.keys(readManifest().peerDependencies).filter((name) => !isInstalled(name, from));
}

function readManifest() {
  const file = findPackageJSON(import.meta.url);
  if (!file) throw new Error('package.json is missing');
  const { peerDependencies } = JSON.parse(readFileSync(file, 'utf8')) as { peerDependencies: Record<string, string> };
  return { file, peerDependencies };
}

/** Returns the command that installs all of them beside this package: in the project of the user, or globally. */
function installCommand(packages: Record<string, string>, packageDir: string): string {
  // Some shells give ^ a meaning of their own.
  const names = Object.entries(packages).map(([name, range]) => `${name}@${range.replace(/^\^(\d+)\..*$/, '$1')}`);
  const isInProject = existsSync(join(packageDir, '../../package.json'));
  return ['npm install', ...(isInProject ? [] : ['--global']), ...names].join(' ');
}

function isInstalled(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined;
  } catch {
    return false;
  }
}
