import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { QueueDepth } from '../core/queue.ts';
import { type CountName, lastSuccessAgo, type RunCounts, type RunStatus, zeroCounts } from '../core/run.ts';
import { createMetricsSource } from './reading.ts';

/** Number and sums of the ended runs of a sync with the same kind and status. */
export interface RunSums {
  sync: string;
  kind: string;
  status: RunStatus;
  runs: number;
  durationMs: number;
  /** Time since the last of these runs ended, in ms. */
  agoMs: number;
  /** Time since the last of these runs that counts as a success; absent: none does. */
  successAgoMs?: number;
  counts: RunCounts;
}

/** Readers of the state that all processes share. */
export interface Shared {
  /** Names of the syncs that are configured. */
  syncs(): readonly string[];
  runTotals(): Promise<RunSums[]>;
  underWay(): Promise<ReadonlyArray<{ sync: string }>>;
  /** Names of the syncs that are paused. */
  paused(): Promise<ReadonlySet<string>>;
  depth(): Promise<QueueDepth>;
  destination(): Promise<'open' | 'paused' | 'stopped'>;
}

type Label = 'sync' | 'kind' | 'status' | 'outcome' | 'state' | 'part';
type Sample = { value: number } & Partial<Record<Label, string>>;

/** `missing` is not an outcome, and `read` is the sum of all. */
const OUTCOMES = (Object.keys(zeroCounts()) as CountName[]).filter(
  (count) => !['read', 'missing', 'uploaded'].includes(count),
);

/** Adds metrics that are read from ledger and queue at each scrape, so that they count the work of all processes. */
export function addSharedMetrics(registry: Registry, shared: Shared, log: Logger): void {
  const ledger = createMetricsSource('ledger', readLedger, log);
  const queue = createMetricsSource('queue', shared.depth, log);

  add(Counter, 'feedferry_runs_total', 'Runs that have ended.', ['sync', 'kind', 'status'], async () =>
    (await runTotals()).map((totals) => ({ ...totals, value: totals.runs })),
  );
  add(Counter, 'feedferry_run_duration_seconds_total', 'Duration of runs.', ['sync', 'kind', 'status'], async () =>
    (await runTotals()).map((totals) => ({ ...totals, value: totals.durationMs / 1000 })),
  );
  add(Counter, 'feedferry_records_total', 'Records of runs, by outcome.', ['sync', 'outcome'], async () =>
    (await runTotals()).flatMap(({ sync, counts }) =>
      OUTCOMES.map((outcome) => ({ sync, outcome, value: counts[outcome] })),
    ),
  );
  add(Counter, 'feedferry_uploads_total', 'Files uploaded to the CMS.', ['sync'], async () =>
    (await runTotals()).map(({ sync, counts }) => ({ sync, value: counts.uploaded })),
  );
  add(Gauge, 'feedferry_runs_under_way', 'Runs in progress.', ['sync'], async () => {
    const underWay = (await ledger.read())?.value.underWay;
    const count = (sync: string) => underWay?.filter((run) => run.sync === sync).length ?? 0;
    return underWay ? shared.syncs().map((sync) => ({ sync, value: count(sync) })) : [];
  });
  add(Gauge, 'feedferry_sync_paused', '1 if the sync is paused.', ['sync'], async () => {
    const paused = (await ledger.read())?.value.paused;
    return paused ? shared.syncs().map((sync) => ({ sync, value: Number(paused.has(sync)) })) : [];
  });
  add(Gauge, 'feedferry_last_success_age_seconds', 'Age of the last success; +Inf: never.', ['sync'], async () => {
    const reading = await ledger.read();
    if (!reading) return [];
    return shared.syncs().map((sync) => {
      return { sync, value: (lastSuccessAgo(sync, reading.value.runTotals) + reading.ageMs) / 1000 };
    });
  });
  add(Gauge, 'feedferry_destination_state', '1 for the current state of the CMS.', ['state'], async () => {
    const current = (await ledger.read())?.value.destination;
    return current ? ['open', 'paused', 'stopped'].map((state) => ({ state, value: Number(state === current) })) : [];
  });
  add(Gauge, 'feedferry_queue_jobs', 'Jobs of the queue; each is a batch of records.', ['state'], async () =>
    Object.entries((await queue.read())?.value ?? {}).map(([state, value]) => ({ state, value })),
  );
  add(Gauge, 'feedferry_part_up', '1 if the part responds.', ['part'], async () => [
    { part: 'ledger', value: Number((await ledger.read()) !== undefined) },
    { part: 'queue', value: Number((await queue.read()) !== undefined) },
  ]);

  async function readLedger() {
    const [totals, underWay, destination, paused] = await Promise.all([
      shared.runTotals(),
      shared.underWay(),
      shared.destination(),
      shared.paused(),
    ]);
    return { runTotals: totals, underWay, destination, paused };
  }

  async function runTotals(): Promise<RunSums[]> {
    return (await ledger.read())?.value.runTotals ?? [];
  }

  function add(
    Metric: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    labelNames: Label[],
    samples: () => Promise<Sample[]>,
  ): void {
    const metric: Counter | Gauge = new Metric({ name, help, labelNames, registers: [registry], collect });
    async function collect() {
      // Reads first, so that a scrape never sees a half-filled metric.
      const read = await samples();
      metric.reset();
      for (const sample of read) {
        metric.inc(Object.fromEntries(labelNames.map((label) => [label, sample[label] ?? ''])), sample.value);
      }
    }
  }
}
