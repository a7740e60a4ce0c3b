import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { addInFlight, createMetrics } from '../../../src/console/metrics.ts';
import { addSharedMetrics, type RunSums, type Shared } from '../../../src/console/shared-metrics.ts';
import { zeroCounts } from '../../../src/core/run.ts';
import { parseMetrics } from '../../support/prometheus.ts';
import { aRunRow, aSyncRow } from './sample-views.ts';

const log = pino({ level: 'silent' });

function sums(more: Partial<RunSums>): RunSums {
  const counts = { ...zeroCounts(), read: 3, created: 2, rejected: 1, uploaded: 4, missing: 9 };
  return { sync: 'talks', kind: 'run', status: 'partial', runs: 1, durationMs: 1_500, counts, ...more };
}

const reading = aRunRow({ counts: { ...zeroCounts(), read: 9, rejected: 4 } });
const overview = {
  target: { baseUrl: 'https://www.example.edu', state: 'paused' as const },
  syncs: [
    aSyncRow({ recentRuns: [reading, aRunRow({ hasRead: false, status: 'failed' })], withoutFiles: 2 }),
    aSyncRow({
      ...{ sync: 'staff', underWay: 'r2', waits: 'r1', isLate: true, lastSuccessAt: null, differences: 5 },
      paused: { by: 'Kim', via: 'cli' as const, since: '2027-03-01T14:00:00.000Z', reason: 'moving' },
      verifiedAt: '2027-03-01T14:00:00.000Z',
    }),
  ],
  attention: [
    { is: 'held' as const, sync: 'staff', text: '', remedy: '' },
    { is: 'incomplete' as const, sync: 'talks', text: '', remedy: '' },
  ],
};

async function scrape(shared: Partial<Shared>) {
  const metrics = createMetrics('1.2.3');
  addSharedMetrics(
    metrics.registry,
    {
      runTotals: async () => [],
      overview: async () => overview,
      depth: async () => ({ waiting: 0, delayed: 0, active: 0 }),
      backedUpAt: async () => undefined,
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
    runTotals: async () => [sums({}), sums({ status: 'success', runs: 5, durationMs: 500 })],
    depth: async () => ({ waiting: 7, delayed: 2, active: 1 }),
    backedUpAt: async () => 1_800_000_000_500,
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
  const at = Date.parse('2027-03-01T14:00:00.000Z') / 1000;
  const bySync = (name: string) => ['talks', 'staff'].map((sync) => value(`feedferry_${name}`, { sync }));
  expect(bySync('last_success_timestamp_seconds')).toEqual([at + 12, 0]);
  expect(bySync('last_verification_timestamp_seconds')).toEqual([0, at]);
  expect(bySync('sync_late')).toEqual([0, 1]);
  expect(bySync('sync_paused')).toEqual([0, 1]);
  expect(bySync('held_plans')).toEqual([0, 1]);
  expect(bySync('records_without_file')).toEqual([2, 0]);
  expect(bySync('differences')).toEqual([0, 5]);
  expect(bySync('last_reading_rejected')).toEqual([4, 0]);
  expect(value('feedferry_last_backup_timestamp_seconds')).toBe(1_800_000_000.5);
  expect(['held', 'incomplete', 'stopped'].map((is) => value('feedferry_attention', { is }))).toEqual([1, 1, 0]);
  expect(value('feedferry_queue_jobs', { state: 'waiting' })).toBe(7);
  expect(value('feedferry_destination_state', { state: 'paused' })).toBe(1);
  expect(value('feedferry_destination_state', { state: 'open' })).toBe(0);
  expect(value('feedferry_part_up')).toBe(2);
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

describe('What is shipped for operators', () => {
  const folder = join(import.meta.dirname, '../../../deploy/monitoring');
  const { groups } = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as {
    groups: Array<{ rules: Array<{ alert: string; expr: string; annotations: { summary: string } }> }>;
  };
  const rules = groups.flatMap((group) => group.rules);
  const { panels } = JSON.parse(readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8')) as {
    panels: Array<{ title: string; targets: Array<{ expr: string }> }>;
  };
  const shown = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
  const used = [...rules.map(({ alert, expr }) => [alert, expr] as const), ...shown];

  test.each(used)('%s asks for metrics, labels and values that exist', async (_name, expr) => {
    const { value } = await scrapeAll();
    for (const [, name = '', matchers = ''] of expr.matchAll(/(feedferry_\w+)(?:\{([^}]*)\})?/g)) {
      expect({ name, value: value(name) }).toEqual({ name, value: expect.any(Number) });
      for (const [, label = '', values = ''] of matchers.matchAll(/(\w+)=~?"([^"]*)"/g)) {
        const some = values === '$sync' ? ['talks'] : values.split('|');
        for (const each of some) {
          expect({ name, label, each, value: value(name, { [label]: each }) }).toMatchObject({
            value: expect.any(Number),
          });
        }
      }
    }
  });

  test('Alerts also notice metrics that are absent, and only name labels that their series have', async () => {
    const texts = rules.map(({ expr }) => expr).join('\n');
    for (const name of ['up', 'feedferry_build_info', 'feedferry_part_up']) expect(texts).toContain(`absent(${name}`);
    for (const { expr, annotations } of rules) {
      for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) {
        const [name = ''] = /feedferry_\w+/.exec(expr) ?? [];
        const { families } = await scrapeAll();
        expect(families.get(name)?.metrics.every(({ labels = {} }) => label in labels)).toBe(true);
      }
    }
  });

  /** A scrape in which each metric has samples. */
  async function scrapeAll() {
    const runTotals = async () => (['success', 'partial', 'failed'] as const).map((status) => sums({ status }));
    const metrics = createMetrics('1.2.3');
    metrics.request({ operation: 'events.create', status: 201, durationMs: 40 });
    const depth = async () => ({ waiting: 0, delayed: 0, active: 0 });
    addSharedMetrics(
      metrics.registry,
      { runTotals, overview: async () => overview, depth, backedUpAt: async () => 1 },
      log,
    );
    return parseMetrics(await metrics.registry.metrics());
  }
});
