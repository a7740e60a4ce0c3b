import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

export interface Package {
  name: string;
  version: string;
  license: string;
}

/** Licenses allowed for packages used at run time: they permit any use, and at most require a notice, which each package has. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-0-Clause',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unicode-3.0',
];
/** Licenses that are allowed for tools, which are not shipped. */
const FOR_TOOLS = [...PERMISSIVE, 'MPL-2.0', 'PSF-2.0'];
const MODULES = 'node_modules/';

/** Returns the packages whose license is not on the list for their use, as `name version: license`. */
export function unwantedLicenses(): string[] {
  const { installed, development } = lockedPackages();
  return [
    ...installed.filter(({ license }) => !isAllowed(license, PERMISSIVE)),
    ...development.filter(({ license }) => !isAllowed(license, FOR_TOOLS)),
  ].map(({ name, version, license }) => `${name} ${version}: ${license}`);
}

/** Returns all packages of the lockfile: packages that npm installs with feedferry, and packages for development only. */
export function lockedPackages(): { installed: Package[]; development: Package[] } {
  const lockfile = join(import.meta.dirname, '../../package-lock.json');
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, LockedPackage> };
  const { true: development = [], false: installed = [] } = Object.groupBy(
    Object.entries(packages).filter(([path]) => path !== ''),
    ([, { dev = false }]) => `${dev}`,
  );
  return { installed: installed.map(toPackage), development: development.map(toPackage) };

  function toPackage([path, { version = '', license }]: [string, LockedPackage]): Package {
    const name = path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    return { name, version, license: license ?? licenseOfParent(name) };
  }

  /** Returns the license of the package that a platform package belongs to: scripts/complete-lockfile.ts adds these without one. */
  function licenseOfParent(name: string): string {
    const parent = Object.values(packages).find(({ optionalDependencies = {} }) => name in optionalDependencies);
    return parent?.license ?? 'none';
  }
}

function isAllowed(expression: string, allowed: readonly string[]): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((license) => allowed.includes(license));
}
