import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOWEST = ['test/crash/', 'test/soak/', 'test/e2e/'];

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
