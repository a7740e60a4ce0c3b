import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Beginnings of paths, the slowest first: files that take more than 10 s of an idle machine, then the folders with long stories. */
const SLOWEST = [
  'test/e2e/console/pages',
  'test/crash/',
  'test/simulation/simulation',
  'test/e2e/records/target',
  'test/e2e/records/slow-create',
  'test/e2e/console/bad-input',
  'test/verify/',
  'test/e2e/docs/',
  'test/e2e/service/',
  'test/e2e/runs/',
  'test/e2e/cli/',
  'test/e2e/records/',
  'test/contract/limits/',
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
