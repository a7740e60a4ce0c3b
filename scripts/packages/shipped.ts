import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Package {
  name: string;
  version: string;
  license: string;
}

const root = join(import.meta.dirname, '../..');
const MODULES = 'node_modules/';
/** Packages whose code is in dist/, as scripts/bundle/third-party-licenses.ts writes them. */
const BUNDLED = /^-{80}\n\n(\S+) (\S+) \(/gm;

/**
 * Returns all packages of the lockfile by how they reach a user: in the bundle, installed by npm, installed by the user for Redis,
 * or only on the machines of developers. Needs dist/.
 */
export function packagesByUse() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const self = packages[''] ?? {};
  const licenses = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const inBundle = new Set([...licenses.matchAll(BUNDLED)].map(([, name, version]) => `${name}@${version}`));
  const installed = closureOf(self.dependencies);
  const forRedis = closureOf(self.peerDependencies);
  const paths = Object.keys(packages).filter((path) => path !== '');
  return {
    bundled: paths.filter((path) => inBundle.has(idOf(packageAt(path)))).map(packageAt),
    installed: installed.map(packageAt),
    forRedis: forRedis.map(packageAt),
    development: paths
      .filter((path) => !inBundle.has(idOf(packageAt(path))) && ![...installed, ...forRedis].includes(path))
      .map(packageAt),
  };

  /** Returns the places of these packages and of all that they need. */
  function closureOf(names: Record<string, string> = {}): string[] {
    const places = new Set<string>();
    const open = Object.keys(names).map((name) => ({ name, from: '' }));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const place = placeOf(next.name, next.from);
      if (place === undefined || places.has(place)) continue;
      places.add(place);
      const { dependencies, optionalDependencies } = packages[place] ?? {};
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) open.push({ name, from: place });
    }
    return [...places].toSorted();
  }

  /** Returns where a package finds another, as Node does: in its own folder, else in those around it. */
  function placeOf(name: string, from: string): string | undefined {
    const parts = from === '' ? [] : from.split(`/${MODULES}`);
    const places = [...parts.keys(), parts.length].map((depth) =>
      [...parts.slice(0, depth), depth === 0 ? MODULES + name : name].join(`/${MODULES}`),
    );
    return places.findLast((place) => place in packages);
  }

  function packageAt(path: string): Package {
    const name = path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    const { version = '', license = licenseOfParent(name) } = packages[path] ?? {};
    return { name, version, license };
  }

  /** scripts/complete-lockfile.ts knows no licenses of packages for other platforms: they have that of the package they belong to. */
  function licenseOfParent(name: string): string {
    const parent = Object.values(packages).find(({ optionalDependencies = {} }) => name in optionalDependencies);
    return parent?.license ?? 'none';
  }
}

/** Returns `name@version`. */
export function idOf({ name, version }: Package): string {
  return `${name}@${version}`;
}
