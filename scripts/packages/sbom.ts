// Prints the software bill of materials (CycloneDX) of the packages that npm installs with feedferry, according to the lockfile.
// The same lockfile gives the same text.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  name: string;
  devDependencies?: Record<string, string>;
}

interface Lockfile {
  packages: Record<string, { dev?: boolean; devDependencies?: Record<string, string> }>;
}

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string };
}

const root = join(import.meta.dirname, '../..');
const { devDependencies, ...manifest } = read<Manifest>('package.json');
const lockfile = read<Lockfile>('package-lock.json');

const dir = mkdtempSync(join(tmpdir(), 'feedferry-sbom-'));
try {
  const { serialNumber, metadata, ...bom } = JSON.parse(billOfMaterials(dir)) as Bom;
  const { timestamp, ...lasting } = metadata;
  console.log(JSON.stringify({ ...bom, metadata: lasting }, null, 2));
} finally {
  rmSync(dir, { recursive: true });
}

/**
 * Lets npm describe a copy of the project without its tools, because with `--omit=dev` npm also leaves out packages that both the
 * program and a tool need. The folder has the project's name, because npm uses the name of the folder.
 */
function billOfMaterials(dir: string): string {
  const cwd = join(dir, manifest.name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify({ ...lockfile, packages: installedPackages() }));
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function installedPackages(): Lockfile['packages'] {
  const { '': self, ...packages } = lockfile.packages;
  const installed = Object.entries(packages).filter(([, { dev }]) => !dev);
  return { '': { ...self, devDependencies: {} }, ...Object.fromEntries(installed) };
}

function read<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Content;
}
