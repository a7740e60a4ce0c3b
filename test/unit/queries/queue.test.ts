import { expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import type { QueueState } from '../../../src/core/queue.ts';
import { createQueueView } from '../../../src/queries/site/machine.ts';

const HOUR_MS = 3_600_000;
const depth = { waiting: 2, delayed: 1, active: 3 };
const failed = { job: { sync: 'talks', run: 'r1', records: 20 }, tries: 3, reason: 'the database is locked' };

const at = (time: string) => Date.parse(`2027-03-01T${time}Z`);

async function viewOf(engine: 'in-process' | 'bullmq', state: QueueState, starts: string[] = []) {
  const leaders = async () => [{ name: 'web-1/7', since: at('08:00:00') }];
  const processes = starts.map((name) => ({ name, since: at('07:00:00') }));
  const schedulers = { schedulers: async () => ({ isRunning: starts.length > 0, processes }) };
  const ledger = { runs: { leaders }, schedulers };
  const app = { queue: { engine, state: async () => state }, ledger } as unknown as App;
  return createQueueView(() => app).queue();
}

test('A shared queue has the age of its oldest job, its failures, and its own workers', async () => {
  const failures = [{ ...failed, abandonedAt: Date.parse('2027-03-01T08:00:00Z') }, failed];
  const state = { ...depth, oldestAt: Date.now() - HOUR_MS, failures, workers: [{ name: 'web-2/9' }] };
  const { oldestMs, ...view } = await viewOf('bullmq', state);
  expect(view).toEqual({
    ...{ engine: 'bullmq', ...depth, workers: [{ name: 'web-2/9' }] },
    failures: [{ ...failed, abandonedAt: '2027-03-01T08:00:00.000Z' }, failed],
  });
  expect(oldestMs).toBeGreaterThanOrEqual(HOUR_MS);
  expect(oldestMs).toBeLessThan(2 * HOUR_MS);
});

test('Without Redis, the processes that lead runs deliver', async () => {
  expect(await viewOf('in-process', { ...depth, failures: [] })).toEqual({
    ...{ engine: 'in-process', ...depth, failures: [] },
    workers: [{ name: 'web-1/7', since: '2027-03-01T08:00:00.000Z' }],
  });
});

test('Without Redis, a process that runs what is due is a worker also while it leads no run', async () => {
  const { workers } = await viewOf('in-process', { ...depth, failures: [] }, ['web-1/7', 'web-2/9']);
  expect(workers).toEqual([
    { name: 'web-1/7', since: '2027-03-01T07:00:00.000Z' },
    { name: 'web-2/9', since: '2027-03-01T07:00:00.000Z' },
  ]);
});
