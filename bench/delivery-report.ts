import type { FeedferryRound, Load, Pass } from './delivery-rounds.ts';
import { CONCURRENCY } from './event-sync.ts';

/** All rounds of the bare loop, and those of feedferry by engine. */
export interface Ways {
  bare: Pass[];
  feedferry: Map<string, FeedferryRound[]>;
}

/** Medians of all rounds as Markdown, and what misses the target. */
export function deliveryReport(ways: Ways, load: Load): { text: string; missed: string[] } {
  const created = new Map([...ways.feedferry].map(([name, rounds]) => [name, rounds.map(({ create }) => create)]));
  const deliveryOfBare = median(ways.bare.map(deliveryRate));
  const ratios = [...created].map(
    ([name, passes]) => [name, median(passes.map(deliveryRate)) / deliveryOfBare] as const,
  );
  const target = targetRatio(load);
  const missed = ratios
    .filter(([, ratio]) => ratio < target)
    .map(([name, ratio]) => `${name}: ${ratio.toFixed(2)} of the bare loop at ${load.latencyMs} ms, target ${target}`);
  return {
    text: [heading(load, ways.bare.length), creates(ways.bare, created), repeats(ways.feedferry)].join('\n'),
    missed,
  };
}

/** What is owed of the bare loop's throughput. */
function targetRatio({ latencyMs }: Load): number {
  return latencyMs >= 20 ? 0.9 : 0.5;
}

function heading({ records, latencyMs }: Load, rounds: number): string {
  return `
## ${records} creates, ${latencyMs} ms latency, ${CONCURRENCY} in flight, medians of ${rounds}

Delivering: from the first write that reaches the CMS until its last answer, by the CMS's clock. Whole: the command, from
its start to its end. Ratios are to the bare loop.
`;
}

function creates(bare: Pass[], feedferry: Map<string, Pass[]>): string {
  const all = new Map([['bare loop', bare], ...feedferry]);
  const rows = [...all].map(([name, passes]) => [
    name,
    ...besides(passes, bare, deliveryRate),
    ...besides(passes, bare, wholeRate),
    ...usageOf(passes),
  ]);
  return markdown(['', 'delivering, records/s', 'ratio', 'whole, records/s', 'ratio', 'peak MB', 'CPU s'], rows);
}

function besides(passes: Pass[], bare: Pass[], rate: (pass: Pass) => number): string[] {
  const own = median(passes.map(rate));
  return [own.toFixed(0), (own / median(bare.map(rate))).toFixed(2)];
}

/** The same feed again, and then with changes. */
function repeats(feedferry: Map<string, FeedferryRound[]>): string {
  const rows = [...feedferry].flatMap(([name, rounds]) =>
    (
      [
        ['again, unchanged', 'again'],
        ['1 in 10 changed', 'change'],
      ] as const
    ).map(([title, pass]) => {
      const passes = rounds.map((round) => round[pass]);
      return [
        `${name}: ${title}`,
        median(passes.map(({ requests }) => requests)).toFixed(0),
        median(passes.map(({ seconds }) => seconds)).toFixed(2),
        ...usageOf(passes),
      ];
    }),
  );
  return rows.length === 0 ? '' : `\n${markdown(['', 'requests', 'seconds', 'peak MB', 'CPU s'], rows)}`;
}

function usageOf(passes: Pass[]): string[] {
  const peakMb = median(passes.map(({ peakBytes }) => peakBytes / 1e6));
  return [peakMb.toFixed(0), median(passes.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)];
}

function deliveryRate({ writes, writeSeconds }: Pass): number {
  return writes / writeSeconds;
}

function wholeRate({ writes, seconds }: Pass): number {
  return writes / seconds;
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** The first column holds names, the others numbers. */
export function markdown(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}
