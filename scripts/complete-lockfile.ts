// Adds the optional platform packages that a registry mirror did not list to package-lock.json, so that `npm ci` accepts
// the lockfile on every platform. Run it after `npm install` if `npm ci` reports "Missing: … from lock file".
import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  license?: string;
  optionalDependencies?: Record<string, string>;
}

const platforms: Array<[RegExp, string]> = [
  [/android/, 'android'],
  [/darwin/, 'darwin'],
  [/freebsd/, 'freebsd'],
  [/netbsd/, 'netbsd'],
  [/openbsd/, 'openbsd'],
  [/openharmony|ohos/, 'openharmony'],
  [/sunos/, 'sunos'],
  [/aix/, 'aix'],
  [/win32|windows/, 'win32'],
  [/linux/, 'linux'],
];
const processors: Array<[RegExp, string]> = [
  [/arm64|aarch64/, 'arm64'],
  [/arm/, 'arm'],
  [/ia32/, 'ia32'],
  [/x64|x86_64/, 'x64'],
  [/riscv64/, 'riscv64'],
  [/ppc64/, 'ppc64'],
  [/s390x/, 's390x'],
  [/loong64/, 'loong64'],
  [/mips64el/, 'mips64el'],
  [/wasm32/, 'wasm32'],
];

const path = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> };

const added: string[] = [];
for (const [, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] || !/^\d/.test(version)) continue;
    const os = platforms.find(([pattern]) => pattern.test(name))?.[1];
    const cpu = processors.find(([pattern]) => pattern.test(name))?.[1];
    if (!os && cpu !== 'wasm32') continue;
    lock.packages[place] = {
      version,
      ...(cpu ? { cpu: [cpu] } : {}),
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.error(`${added.length} optional packages added`);
