import { afterAll, expect, test } from 'vitest';
import { openServers } from '../crash/servers/servers.ts';
import { formatSoak } from './figures.ts';
import { soak } from './soak.ts';

// Shows that `npm run dev -- soak` can run, which lasts minutes.
const servers = openServers({});
afterAll(() => servers.close());

test('A service with changing feeds and a failing CMS delivers everything in the end', {
  timeout: 600_000,
}, async () => {
  const combination = { name: 'sqlite+in-process', ledger: 'sqlite', queue: 'in-process' } as const;
  const report = await soak(combination, { seed: 1, ms: 500 }, servers);
  expect(report.findings, formatSoak(report)).toEqual([]);
  expect(report.samples.at(-1)?.ledgerRows.records).toBeGreaterThan(100);
});
