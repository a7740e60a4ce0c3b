import type { engineNames } from './engines.ts';
import type { Load, Pass, Round } from './rounds.ts';
import { median } from './table.ts';

/** What is owed: at least, or of CPU time and memory at most. */
export interface Targets {
  /** Records a second of the whole command, and its CPU time: ratios to the bare loop of the same go. */
  throughput?: number;
  cpu?: number;
  /** Largest resident set. */
  peakMib?: number;
  /** Records a second of the whole command: of the first run, of an unchanged one, of one that changes 1 in 100. */
  perSecond?: number;
  againPerSecond?: number;
  changePerSecond?: number;
  /** Share of the writes a second that the limit allows, while there are any. */
  share?: number;
}

export interface Scenario {
  name: string;
  engine: (typeof engineNames)[number];
  load: Load;
  targets: Targets;
}

const TEN = { records: 10_000, latencyMs: 20 };
const HUNDRED = { records: 100_000, latencyMs: 0, again: true };
const UNDER_ONE_LIMIT = { records: 6_400, latencyMs: 200, inFlight: 64 };

export const scenarios: readonly Scenario[] = [
  { name: '20 ms', engine: 'in-process', load: TEN, targets: { throughput: 0.93, cpu: 2.2, peakMib: 150 } },
  {
    name: '20 ms, rate far above',
    engine: 'in-process',
    load: { ...TEN, requestsPerSecond: 100_000 },
    targets: { throughput: 0.92 },
  },
  { name: '0 ms', engine: 'in-process', load: { ...TEN, latencyMs: 0 }, targets: { throughput: 0.45 } },
  {
    name: '0 ms, 100,000 records',
    engine: 'in-process',
    load: HUNDRED,
    targets: { throughput: 0.45, peakMib: 190, againPerSecond: 40_000, changePerSecond: 25_000 },
  },
  { name: '20 ms', engine: 'bullmq', load: TEN, targets: { throughput: 0.88 } },
  { name: '0 ms', engine: 'bullmq', load: { ...TEN, latencyMs: 0 }, targets: { throughput: 0.35 } },
  { name: '20 ms, a second worker', engine: 'bullmq', load: { ...TEN, workers: 1 }, targets: { perSecond: 1_250 } },
  ...[1, 2, 4].map(
    (processes): Scenario => ({
      name: `200 ms, 64 in flight, ${processes} process${processes > 1 ? 'es' : ''}`,
      engine: 'bullmq',
      load: { ...UNDER_ONE_LIMIT, workers: processes - 1 },
      targets: { share: 0.97 },
    }),
  ),
  {
    name: '20 ms, commits of 10 ms',
    engine: 'in-process',
    load: { ...TEN, slowCommitMs: 10 },
    targets: { throughput: 0.8 },
  },
];

const AT_MOST: ReadonlySet<keyof Targets> = new Set(['cpu', 'peakMib']);

/** The medians of what was measured, beside what is owed. */
export function judge({ load, targets }: Scenario, bare: readonly Pass[], rounds: readonly Round[]) {
  const creates = rounds.map(({ create }) => create);
  const seconds = (passes: readonly Pass[]) => median(passes.map((pass) => pass.seconds));
  const rate = (passes: Array<Pass | undefined>) => load.records / seconds(passes.filter((pass) => pass !== undefined));
  const possible = (1000 * (load.inFlight ?? 0)) / load.latencyMs;
  const figures: Record<keyof Targets, () => number> = {
    throughput: () => seconds(bare) / seconds(creates),
    cpu: () => median(creates.map(({ cpuSeconds }) => cpuSeconds)) / median(bare.map(({ cpuSeconds }) => cpuSeconds)),
    peakMib: () => median(creates.map(({ peakBytes }) => peakBytes / 2 ** 20)),
    perSecond: () => rate(creates),
    againPerSecond: () => rate(rounds.map(({ again }) => again)),
    changePerSecond: () => rate(rounds.map(({ change }) => change)),
    share: () => median(creates.map(({ writes, writeSeconds }) => writes / writeSeconds)) / possible,
  };
  return (Object.keys(targets) as Array<keyof Targets>).map((name) => {
    const [figure, target] = [figures[name](), targets[name] ?? 0];
    return { name, figure, target, isMet: AT_MOST.has(name) ? figure <= target : figure >= target };
  });
}

/** Whether more requests were in flight than the limit allows. */
export function exceedsLimit({ load: { inFlight } }: Scenario, rounds: readonly Round[]): boolean {
  return inFlight !== undefined && rounds.some(({ create }) => create.peakInFlight > inFlight);
}
