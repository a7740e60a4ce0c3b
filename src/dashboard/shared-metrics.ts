import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { QueueDepth } from '../core/queue.ts';
import { type RunCounts, type RunStatus, zeroCounts } from '../core/run.ts';
import { createMetricsSource } from './reading.ts';

/** Runs of a sync that were of one kind and ended alike: how many, and their sums. */
export interface RunSums {
  sync: string;
  kind: string;
  status: RunStatus;
  runs: number;
  durationMs: number;
  /** Since the last of them ended, in ms. */
  agoMs: number;
  counts: RunCounts;
}

/** What all processes share, and how this one finds it out. */
export interface Shared {
  /** Names of the syncs that are configured. */
  syncs(): readonly string[];
  tallies(): Promise<RunSums[]>;
  underWay(): Promise<ReadonlyArray<{ sync: string }>>;
  depth(): Promise<QueueDepth>;
  destination(): Promise<'open' | 'paused' | 'stopped'>;
}

interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** `missing` is no outcome but a finding; `read` is their sum. */
const OUTCOMES = (Object.keys(zeroCounts()) as Array<keyof RunCounts>).filter(
  (count) => !['read', 'missing', 'uploaded'].includes(count),
);

/** Adds what is read from ledger and queue when somebody asks, so that it is right whichever process did the work. */
export function addSharedMetrics(registry: Registry, shared: Shared, log: Logger): void {
  const ledger = createMetricsSource('ledger', readLedger, log);
  const queue = createMetricsSource('queue', shared.depth, log);

  counter('feedferry_runs_total', 'Runs that have ended.', ['sync', 'kind', 'status'], async () =>
    (await tallies()).map(({ sync, kind, status, runs }) => ({ labels: { sync, kind, status }, value: runs })),
  );
  counter('feedferry_run_duration_seconds_total', 'Time that runs took.', ['sync', 'kind', 'status'], async () =>
    (await tallies()).map(({ sync, kind, status, durationMs }) => ({
      labels: { sync, kind, status },
      value: durationMs / 1000,
    })),
  );
  counter('feedferry_records_total', 'Records of runs, by what became of them.', ['sync', 'outcome'], async () =>
    (await tallies()).flatMap(({ sync, counts }) =>
      OUTCOMES.map((outcome) => ({ labels: { sync, outcome }, value: counts[outcome] })),
    ),
  );
  counter('feedferry_uploads_total', 'Files uploaded to the CMS.', ['sync'], async () =>
    (await tallies()).map(({ sync, counts }) => ({ labels: { sync }, value: counts.uploaded })),
  );
  gauge('feedferry_runs_under_way', 'Runs under way.', ['sync'], async () => {
    const figures = (await ledger.read())?.value;
    if (!figures) return [];
    return shared.syncs().map((sync) => ({
      labels: { sync },
      value: figures.underWay.filter((run) => run.sync === sync).length,
    }));
  });
  gauge('feedferry_last_success_age_seconds', 'Since a run was a success; +Inf: never.', ['sync'], async () => {
    const reading = await ledger.read();
    if (!reading) return [];
    const successes = reading.value.tallies.filter(({ kind, status }) => kind === 'run' && status === 'success');
    return shared.syncs().map((sync) => {
      const agoMs = successes.find((tally) => tally.sync === sync)?.agoMs ?? Number.POSITIVE_INFINITY;
      return { labels: { sync }, value: (agoMs + reading.ageMs) / 1000 };
    });
  });
  gauge('feedferry_destination_state', '1 for the state that the CMS is in.', ['state'], async () => {
    const figures = (await ledger.read())?.value;
    if (!figures) return [];
    return ['open', 'paused', 'stopped'].map((state) => ({
      labels: { state },
      value: Number(state === figures.destination),
    }));
  });
  gauge('feedferry_queue_jobs', 'Jobs of the queue; one is a batch of records.', ['state'], async () => {
    const depth = (await queue.read())?.value;
    return Object.entries(depth ?? {}).map(([state, value]) => ({ labels: { state }, value }));
  });
  gauge('feedferry_part_up', '1 where what feedferry works with answers.', ['part'], async () => [
    { labels: { part: 'ledger' }, value: Number((await ledger.read()) !== undefined) },
    { labels: { part: 'queue' }, value: Number((await queue.read()) !== undefined) },
  ]);

  async function readLedger() {
    const [sums, underWay, destination] = await Promise.all([
      shared.tallies(),
      shared.underWay(),
      shared.destination(),
    ]);
    return { tallies: sums, underWay, destination };
  }

  async function tallies(): Promise<RunSums[]> {
    return (await ledger.read())?.value.tallies ?? [];
  }

  function counter(name: string, help: string, labelNames: string[], samples: () => Promise<Sample[]>): void {
    const add = ({ labels, value }: Sample) => metric.inc(labels, value);
    const collect = () => refill(metric, samples, add);
    const metric: Counter = new Counter({ name, help, labelNames, registers: [registry], collect });
  }

  function gauge(name: string, help: string, labelNames: string[], samples: () => Promise<Sample[]>): void {
    const add = ({ labels, value }: Sample) => metric.set(labels, value);
    const collect = () => refill(metric, samples, add);
    const metric: Gauge = new Gauge({ name, help, labelNames, registers: [registry], collect });
  }
}

/** Reads first, so that a metric is never seen half filled. */
async function refill(
  metric: { reset(): void },
  samples: () => Promise<Sample[]>,
  add: (sample: Sample) => void,
): Promise<void> {
  const read = await samples();
  metric.reset();
  for (const sample of read) add(sample);
}
