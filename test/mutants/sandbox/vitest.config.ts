import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../mutant.ts';
import { plantMutant } from '../plant-in-vite.ts';

/** What holds most rules of the API in little time. */
const quickFiles = ['accounts', 'events', 'lists', 'requests', 'uploads'];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (quickFiles.some((name) => moduleId.endsWith(`/contract/sandbox/${name}.test.ts`))) return 0;
  return moduleId.includes('/contract/sandbox/') ? 1 : 2;
}

/** The suites that hold the API's rules against the sandbox, with the mutant of the environment in it. */
export default defineConfig({
  root,
  plugins: [plantMutant()],
  test: {
    include: ['test/contract/{sandbox,cms-client}/**/*.test.ts'],
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
