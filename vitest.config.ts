import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // More than the two cores of small machines: many tests wait for other processes.
    maxWorkers: 3,
    // A worker for all its files: to load the modules anew for each takes longer than many a file's tests.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Only to find what hangs: on a machine whose cores are busy, a test of several processes takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
