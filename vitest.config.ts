import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

/** Tests of what reads or converts times. */
const OF_TIMES = [
  'test/unit/connectors/{ical,json,csv}*.test.ts',
  'test/unit/connectors/ical/**/*.test.ts',
  'test/unit/core/dates/**/*.test.ts',
  'test/unit/mapping/**/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          exclude: process.env.TEST_LONG === '1' ? [] : OF_TIMES,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
      // Zones come from the config and from feeds, never from the machine: in a zone far from most machines, that shows.
      { extends: true, test: { name: 'another zone', include: OF_TIMES, env: { TZ: 'Pacific/Apia' } } },
    ],
    // Three times the cores of small machines: most tests wait for other processes, for leases and for pauses.
    maxWorkers: 6,
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
