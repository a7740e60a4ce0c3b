import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockedPackages, type Package, unwantedLicenses } from '../../../scripts/packages/licenses.ts';

const root = join(import.meta.dirname, '../../..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('All dependencies have licenses that are on the list', () => {
  expect(unwantedLicenses()).toEqual([]);
});

test('The packages are found where they are used', () => {
  const { installed, development } = lockedPackages();
  const [running, tools] = [installed, development].map((packages) => packages.map(({ name }) => name));
  expect(running).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(tools).toEqual(expect.arrayContaining(['vitest', 'typescript']));
  expect(running).not.toContain('vitest');
});

test('The bill of materials lists what is installed, with its hashes, and nothing else', () => {
  const text = billOfMaterials();
  const bom = JSON.parse(text) as {
    bomFormat: string;
    metadata: { component: { name: string; type: string } };
    components: Array<Package & { hashes: unknown[] }>;
  };
  expect([bom.bomFormat, bom.metadata.component]).toEqual([
    'CycloneDX',
    expect.objectContaining({ name: 'feedferry', type: 'application' }),
  ]);
  const ids = (list: ReadonlyArray<Pick<Package, 'name' | 'version'>>) =>
    [...new Set(list.map(({ name, version }) => `${name}@${version}`))].toSorted();
  expect(ids(bom.components)).toEqual(ids(lockedPackages().installed));
  expect(bom.components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
  // It is always the same, and says nothing of the machine.
  expect(text).toBe(billOfMaterials());
  expect(text).not.toContain(root);
});

function billOfMaterials(): string {
  const script = join(root, 'scripts/packages/sbom.ts');
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    cwd: root,
    encoding: 'utf8',
  });
}
