import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOWEST = ['test/crash/', 'test/soak/', 'test/e2e/'];

/** Long stories begin first, so that no worker is left alone with one at the end; else as Vitest remembers them. */
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
