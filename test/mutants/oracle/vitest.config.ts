import { defineConfig } from 'vitest/config';
import { root } from '../mutant.ts';
import { plantMutant } from '../plant-in-vite.ts';

/** The random histories of the oracle, with the mutant of the environment in the product. */
export default defineConfig({
  root,
  plugins: [plantMutant()],
  test: {
    include: ['test/oracle/histories.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testNamePattern: 'No history',
    testTimeout: 120_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
