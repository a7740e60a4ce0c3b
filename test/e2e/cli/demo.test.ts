import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/run.ts';
import { hasEngine } from '../../support/engines.ts';
import { feedferry, start } from '../feedferry.ts';

/** Node alone: no redis-server is found there. */
const bare = { PATH: dirname(process.execPath) };
const ways = [
  { name: 'in process', variables: bare, says: 'in-process queue', needs: 'in-process' },
  { name: 'on a private Redis', variables: {}, says: 'BullMQ on a private redis-server', needs: 'bullmq' },
] as const;

test.for(ways.filter(({ needs }) => hasEngine(needs)))(
  'The demo $name creates items, patches changes, then sends nothing',
  async ({ variables, says }) => {
    const { exitCode, stdout, stderr, json } = await feedferry(['demo'], variables);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(says);
    const { runs } = json<{ runs: RunResult[] }>();
    const counts = (pass: number, count: keyof RunResult['counts']) =>
      runs.slice(pass * 3, pass * 3 + 3).reduce((sum, run) => sum + run.counts[count], 0);
    expect(runs).toHaveLength(9);
    for (const { counts: each } of runs) {
      const { read, created, updated, unchanged, rejected, failed, held, skipped } = each;
      expect(created + updated + unchanged + rejected + failed + held + skipped).toBe(read);
    }
    expect([counts(0, 'created'), counts(0, 'uploaded'), counts(0, 'rejected')]).toEqual([187, 11, 9]);
    expect([counts(1, 'created'), counts(1, 'updated'), counts(1, 'unchanged')]).toEqual([0, 4, 183]);
    expect([counts(2, 'created'), counts(2, 'updated'), counts(2, 'unchanged')]).toEqual([0, 0, 187]);
    expect(stdout).toContain('Requests that changed something in the CMS: 0');
  },
);

test('The option --keep leaves the sandbox running, and its address leads to an imported event', async () => {
  const { child, finished } = start(['demo', '--keep'], bare);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  while (!/An imported event: \S+\n/.test(said)) await sleep(20);
  const [, url = ''] = /An imported event: (\S+)/.exec(said) ?? [];
  const page = await (await fetch(url)).text();
  expect(page).toMatch(/<h1>.+<\/h1>/);
  expect(page).toMatch(/<img [^>]*src="[^"]+"/);
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
});
