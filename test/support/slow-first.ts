import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Beginnings of paths, the slowest first: files of more than 25 s each, then the folders with long stories. */
const SLOWEST = [
  'test/e2e/records/target',
  'test/e2e/runs/processes',
  'test/e2e/console/pages',
  'test/e2e/runs/suspended',
  'test/contract/limits/',
  'test/crash/',
  'test/e2e/records/secrets',
  'test/e2e/cli/demo',
  'test/soak/',
  'test/e2e/',
  'test/support/run/',
];

/** Runs slow files first, so that no worker is left with a slow file at the end. The other order is that of Vitest. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const position = SLOWEST.findIndex((folder) => moduleId.includes(folder));
  return position === -1 ? SLOWEST.length : position;
}
