import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { QueueDepth } from '../core/queue.ts';
import { type CountName, type RunCounts, type RunStatus, zeroCounts } from '../core/run.ts';
import { attentionItem, type OverviewView, type SyncRowView } from '../queries/views/overview.ts';
import { createMetricsSource } from './reading.ts';

/** Number and sums of the ended runs of a sync with the same kind and status. */
export interface RunSums {
  sync: string;
  kind: string;
  status: RunStatus;
  runs: number;
  durationMs: number;
  counts: RunCounts;
}

/** Readers of the state that all processes share. */
export interface Shared {
  runTotals(): Promise<RunSums[]>;
  overview(): Promise<Pick<OverviewView, 'syncs' | 'target' | 'attention'>>;
  depth(): Promise<QueueDepth>;
  /** When the ledger was last backed up, in ms since 1970; undefined: never. */
  backedUpAt(): Promise<number | undefined>;
}

type Label = 'sync' | 'kind' | 'status' | 'outcome' | 'state' | 'part' | 'is';
type Sample = { value: number } & Partial<Record<Label, string>>;

/** `missing` is not an outcome, and `read` is the sum of all. */
const OUTCOMES = (Object.keys(zeroCounts()) as CountName[]).filter(
  (count) => !['read', 'missing', 'uploaded'].includes(count),
);

/** What each sync reports: the same judgement as in the console. Times are in seconds since 1970; 0: never. */
const ofSync: ReadonlyArray<readonly [name: string, help: string, value: (sync: SyncRowView) => number]> = [
  ['feedferry_runs_under_way', 'Runs in progress.', ({ underWay }) => Number(underWay !== null)],
  ['feedferry_sync_paused', '1 if the sync is paused.', ({ paused }) => Number(paused !== undefined)],
  ['feedferry_sync_late', '1 if no run has succeeded for longer than staleAfter.', ({ isLate }) => Number(isLate)],
  ['feedferry_held_plans', 'Held plans that wait for a decision.', ({ waits }) => Number(waits !== null)],
  ['feedferry_records_without_file', 'Records delivered without a file.', ({ withoutFiles = 0 }) => withoutFiles],
  ['feedferry_differences', 'Differences that the last verification found.', ({ differences }) => differences],
  [
    'feedferry_last_reading_rejected',
    'Records that the last reading of the feed rejected.',
    ({ recentRuns }) =>
      recentRuns.findLast(({ finishedAt, hasRead }) => finishedAt !== undefined && hasRead)?.counts.rejected ?? 0,
  ],
  [
    'feedferry_last_success_timestamp_seconds',
    'End of the last success.',
    ({ lastSuccessAt }) => seconds(lastSuccessAt),
  ],
  [
    'feedferry_last_verification_timestamp_seconds',
    'Beginning of the last verification with a certain result.',
    ({ verifiedAt }) => seconds(verifiedAt),
  ],
];

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
  for (const [name, help, value] of ofSync) {
    add(Gauge, name, help, ['sync'], async () => (await syncs()).map((row) => ({ sync: row.sync, value: value(row) })));
  }
  add(Gauge, 'feedferry_undelivered_records', 'Records to deliver.', ['sync', 'state'], async () =>
    (await syncs()).flatMap(({ sync, undelivered }) =>
      Object.entries(undelivered).map(([state, value]) => ({ sync, state, value })),
    ),
  );
  add(Gauge, 'feedferry_attention', 'What needs a person, by kind.', ['is'], async () => {
    const items = (await ledger.read())?.overview.attention;
    const count = (kind: string) => items?.filter(({ is }) => is === kind).length ?? 0;
    return items ? attentionItem.shape.is.options.map((is) => ({ is, value: count(is) })) : [];
  });
  add(Gauge, 'feedferry_destination_state', '1 for the current state of the CMS.', ['state'], async () => {
    const current = (await ledger.read())?.overview.target.state;
    return current ? ['open', 'paused', 'stopped'].map((state) => ({ state, value: Number(state === current) })) : [];
  });
  add(Gauge, 'feedferry_last_backup_timestamp_seconds', 'Last backup of the ledger.', [], async () => {
    const read = await ledger.read();
    return read ? [{ value: (read.backedUpAt ?? 0) / 1000 }] : [];
  });
  add(Gauge, 'feedferry_queue_jobs', 'Jobs of the queue; each is a batch of records.', ['state'], async () =>
    Object.entries((await queue.read()) ?? {}).map(([state, value]) => ({ state, value })),
  );
  add(Gauge, 'feedferry_part_up', '1 if the part responds.', ['part'], async () => [
    { part: 'ledger', value: Number((await ledger.read()) !== undefined) },
    { part: 'queue', value: Number((await queue.read()) !== undefined) },
  ]);

  async function readLedger() {
    const [totals, overview, backedUpAt] = await Promise.all([
      shared.runTotals(),
      shared.overview(),
      shared.backedUpAt(),
    ]);
    return { runTotals: totals, overview, backedUpAt };
  }

  async function runTotals(): Promise<RunSums[]> {
    return (await ledger.read())?.runTotals ?? [];
  }

  async function syncs(): Promise<SyncRowView[]> {
    return (await ledger.read())?.overview.syncs ?? [];
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

function seconds(instant: string | null): number {
  return instant === null ? 0 : Date.parse(instant) / 1000;
}
