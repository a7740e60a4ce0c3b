import { expect, test } from 'vitest';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, simplest } from '../site.ts';

test('A run whose records can never be delivered ends with the reason', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  // The pauses between 200 attempts would take more than an hour.
  const runtime: typeof systemRuntime = { ...systemRuntime, sleep: (_ms, options) => systemRuntime.sleep(1, options) };
  const report = await site.withApp(
    async ({ ledger, config, contextOf }) => {
      ledger.records.claim = () => Promise.reject(new Error('the claim is broken'));
      return syncRun(contextOf(config.syncs[0]!, { signal: new AbortController().signal }));
    },
    { runtime },
  );
  expect(report).toMatchObject({
    status: 'failed',
    error: {
      code: 'FF_BUG',
      message: 'A batch of 3 records failed too often in a row, the last time with: the claim is broken',
    },
  });
  expect(site.writes()).toEqual({});
});
