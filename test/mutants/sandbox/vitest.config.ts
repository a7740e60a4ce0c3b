import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mutantToPlant, root } from '../mutant.ts';
import { plantMutant } from '../plant-in-vite.ts';

/** What holds most rules of the API in little time. */
const quickFiles = ['accounts', 'events', 'lists', 'requests', 'uploads'];

/** The suites of what the mutant changes. */
const nearest = mutantToPlant()?.file.startsWith('src/cms/') ? '/contract/cms-client/' : '/contract/sandbox/';

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (!moduleId.includes(nearest)) return 2;
  return quickFiles.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1;
}

/** The suites that hold the API's rules against the sandbox and the client, with the mutant of the environment in one of them. */
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
