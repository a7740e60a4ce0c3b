import { pino } from 'pino';
import { expect, test } from 'vitest';
import { addInFlight, createMetrics } from '../../../src/console/metrics.ts';
import { addSharedMetrics, type RunSums, type Shared } from '../../../src/console/shared-metrics.ts';
import { zeroCounts } from '../../../src/core/run.ts';
import { parseMetrics } from '../../support/prometheus.ts';

const log = pino({ level: 'silent' });

function sums(more: Partial<RunSums>): RunSums {
  const counts = { ...zeroCounts(), read: 3, created: 2, rejected: 1, uploaded: 4, missing: 9 };
  return { sync: 'talks', kind: 'run', status: 'partial', runs: 1, durationMs: 1_500, agoMs: 500, counts, ...more };
}

async function scrape(shared: Partial<Shared>) {
  const metrics = createMetrics('1.2.3');
  addSharedMetrics(
    metrics.registry,
    {
      syncs: () => ['talks', 'staff'],
      runTotals: async () => [],
      underWay: async () => [],
      paused: async () => new Set(['staff']),
      depth: async () => ({ waiting: 0, delayed: 0, active: 0 }),
      destination: async () => 'open',
      ...shared,
    },
    log,
  );
  const read = async () => parseMetrics(await metrics.registry.metrics());
  return { ...(await read()), again: read };
}

test('Requests are counted by operation and status, in seconds', async () => {
  const metrics = createMetrics('1.2.3');
  let inFlight = 3;
  addInFlight(metrics, () => inFlight);
  metrics.request({ operation: 'events.create', status: 201, durationMs: 40 });
  metrics.request({ operation: 'events.create', status: 201, durationMs: 700 });
  metrics.request({ operation: 'events.create', error: 'FF_CMS_TIMEOUT', durationMs: 30_000 });
  metrics.request({ operation: 'accounts.list', status: 999, error: 'FF_CMS_STATUS', durationMs: 1 });

  const { value, families } = parseMetrics(await metrics.registry.metrics());
  const name = 'feedferry_cms_request_duration_seconds';
  expect(families.get(name)?.type).toBe('HISTOGRAM');
  expect(value(`${name}_count`, { operation: 'events.create', status: '201' })).toBe(2);
  expect(value(`${name}_sum`, { operation: 'events.create', status: '201' })).toBeCloseTo(0.74);
  expect(value(`${name}_count`, { operation: 'events.create', status: 'FF_CMS_TIMEOUT' })).toBe(1);
  expect(value(`${name}_count`, { operation: 'accounts.list', status: 'other' })).toBe(1);
  const buckets = ['0.025', '0.05', '0.5', '1', '+Inf'].map((le) => value(`${name}_bucket`, { status: '201', le }));
  expect(buckets).toEqual([0, 1, 1, 2, 2]);
  expect(value('feedferry_cms_requests_in_flight')).toBe(3);
  inFlight = 0;
  expect(parseMetrics(await metrics.registry.metrics()).value('feedferry_cms_requests_in_flight')).toBe(0);
  expect(value('feedferry_build_info', { version: '1.2.3' })).toBe(1);
});

test('Runs and records are counted by result, as in the ledger', async () => {
  const { value, families } = await scrape({
    runTotals: async () => [
      sums({}),
      sums({ status: 'success', runs: 5, durationMs: 500, agoMs: 90_000, successAgoMs: 90_000 }),
    ],
    underWay: async () => [{ sync: 'staff' }],
    depth: async () => ({ waiting: 7, delayed: 2, active: 1 }),
    destination: async () => 'paused',
  });
  expect(families.get('feedferry_runs_total')?.type).toBe('COUNTER');
  expect(value('feedferry_runs_total', { sync: 'talks', kind: 'run', status: 'partial' })).toBe(1);
  expect(value('feedferry_runs_total', { sync: 'talks', status: 'success' })).toBe(5);
  expect(value('feedferry_run_duration_seconds_total', { status: 'partial' })).toBe(1.5);
  expect(value('feedferry_records_total', { sync: 'talks', outcome: 'created' })).toBe(4);
  expect(value('feedferry_records_total', { sync: 'talks' })).toBe(6);
  expect(value('feedferry_uploads_total', { sync: 'talks' })).toBe(8);
  expect(value('feedferry_runs_under_way', { sync: 'staff' })).toBe(1);
  expect(value('feedferry_runs_under_way', { sync: 'talks' })).toBe(0);
  expect(value('feedferry_last_success_age_seconds', { sync: 'talks' })).toBeCloseTo(90, 0);
  expect(value('feedferry_last_success_age_seconds', { sync: 'staff' })).toBe(Number.POSITIVE_INFINITY);
  expect(value('feedferry_queue_jobs', { state: 'waiting' })).toBe(7);
  expect(value('feedferry_destination_state', { state: 'paused' })).toBe(1);
  expect(value('feedferry_destination_state', { state: 'open' })).toBe(0);
  expect(value('feedferry_part_up')).toBe(2);
});

test('A successful retry does not count as a reading of the feed', async () => {
  const { value } = await scrape({ runTotals: async () => [sums({ kind: 'retry', status: 'success' })] });
  expect(value('feedferry_last_success_age_seconds', { sync: 'talks' })).toBe(Number.POSITIVE_INFINITY);
});

test('An unresponsive part does not hide the metrics of others', async () => {
  const { value } = await scrape({
    runTotals: async () => [sums({})],
    depth: () => Promise.reject(new Error('Redis is away')),
  });
  expect(value('feedferry_part_up', { part: 'queue' })).toBe(0);
  expect(value('feedferry_part_up', { part: 'ledger' })).toBe(1);
  expect(value('feedferry_queue_jobs')).toBeUndefined();
  expect(value('feedferry_runs_total')).toBe(1);
});

test('The ledger and the queue are read once for scrapes in quick succession', async () => {
  const asked = { runTotals: 0, depth: 0 };
  const { again } = await scrape({
    runTotals: async () => {
      asked.runTotals += 1;
      return [sums({})];
    },
    depth: async () => {
      asked.depth += 1;
      return { waiting: 0, delayed: 0, active: 0 };
    },
  });
  const [first, second] = await Promise.all([again(), again()]);
  expect([first.value('feedferry_runs_total'), second.value('feedferry_runs_total')]).toEqual([1, 1]);
  expect(asked).toEqual({ runTotals: 1, depth: 1 });
});

test('Every metric has a name of feedferry or Prometheus, and a help text', async () => {
  const { families } = await scrape({});
  const names = [...families.keys()];
  expect(names.filter((name) => !/^(feedferry|process|nodejs)_/.test(name))).toEqual([]);
  expect([...families.values()].filter(({ help }) => help.length < 10)).toEqual([]);
});
