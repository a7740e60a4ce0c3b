import { defineConfig } from 'vitest/config';

/** A test run that does not end by itself. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['endless.ts'],
    globalSetup: ['setup.ts'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
