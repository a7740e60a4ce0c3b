import { defineConfig } from 'vitest/config';
import { root } from '../mutant.ts';
import { plantMutant } from '../plant-in-vite.ts';

/** The tests of what is the same over several readings, with the mutant of the environment. */
export default defineConfig({
  root,
  plugins: [plantMutant()],
  test: {
    include: [
      'test/unit/sync/sameness/**/*.test.ts',
      'test/e2e/runs/{sameness,churn,verdicts}.test.ts',
      'test/oracle/**/*.test.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
