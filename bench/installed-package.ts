import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Size of a block that a file takes on most file systems. */
const BLOCK = 4096;

/**
 * Packs the built package and installs it as its users do. Needs the registry.
 * @returns the size on disk in MB, and the number of installed packages
 */
export function installedPackage(root: string, dir: string): { mb: number; packages: number } {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', dir];
  const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
  const home = join(dir, 'installed');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const install = ['install', '--omit=dev', '--no-audit', '--no-fund', '--silent', join(dir, tarball)];
  execFileSync('npm', install, { cwd: home, stdio: 'inherit' });
  const files = readdirSync(join(home, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const bytes = files.map((file) => Math.ceil(lstatSync(join(home, 'node_modules', file)).size / BLOCK) * BLOCK);
  return {
    mb: bytes.reduce((sum, size) => sum + size, 0) / 1e6,
    packages: files.filter((file) => /(^|node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(file)).length,
  };
}
