import type { Finding } from '../crash/checks/finding.ts';
import type { Sample } from './sample.ts';
import { fittedGrowth, meanOf } from './trend.ts';

/** Before that a process is still warming up, and nothing can be said about a trend. */
const SHORTEST_MS = 120_000;

/**
 * What memory may grow in the second half of a soak, as a share of its mean there. The first half is left out: in it things
 * are compiled, cached and pooled.
 */
const TOLERANCE = 0.1;

/** How the memory of a process went in the second half of a soak: in bytes, by the line that fits best. */
interface MemoryTrend {
  process: string;
  measure: 'rss' | 'heap';
  mean: number;
  growth: number;
}

export function memoryTrends(samples: readonly Sample[]): MemoryTrend[] {
  const processes = Object.keys(samples[0]?.memory ?? {});
  return processes.flatMap((process) => [trendOf(process, 'rss', samples), trendOf(process, 'heap', samples)]);
}

/**
 * What was collected, or given back to the system, and is taken again is no leak: only what goes beyond the peak of the
 * first half counts. (The heap grows for a minute or two between its collections.)
 */
function trendOf(process: string, measure: MemoryTrend['measure'], samples: readonly Sample[]): MemoryTrend {
  const bytes = ({ memory }: Sample) => memory[process]?.[measure] ?? 0;
  const peak = Math.max(0, ...samples.slice(0, samples.length / 2).map(bytes));
  const points = samples
    .slice(samples.length / 2)
    .map((sample) => ({ x: sample.atMs, y: Math.max(peak, bytes(sample)) }));
  return { process, measure, mean: meanOf(points.map(({ y }) => y)), growth: fittedGrowth(points) };
}

export function checkMemory(samples: readonly Sample[]): Finding[] {
  if ((samples.at(-1)?.atMs ?? 0) < SHORTEST_MS) return [];
  return memoryTrends(samples)
    .filter(({ mean, growth }) => growth > mean * TOLERANCE)
    .map((trend) => ({ is: 'other', what: `memory is not flat: ${formatTrend(trend)}` }));
}

/** "heap of start grew by 2.4 MB in the second half, 1.2 % of 201.8 MB (at most 10 %)" */
export function formatTrend({ process, measure, mean, growth }: MemoryTrend): string {
  const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const share = `${((100 * growth) / mean).toFixed(1)} % of ${inMegabytes(mean)}`;
  const most = `at most ${100 * TOLERANCE} %`;
  return `${measure} of ${process} grew by ${inMegabytes(growth)} in the second half, ${share} (${most})`;
}
