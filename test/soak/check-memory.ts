import type { Finding } from '../crash/finding.ts';
import type { Sample } from './sample.ts';
import { fittedGrowth, meanOf } from './trend.ts';

/** Before that a process is still warming up, and nothing can be said about a trend. */
const SHORTEST_MS = 120_000;

/**
 * What memory may grow in the second half of a soak, as a share of its mean there. The first half is left out: in it things
 * are compiled, cached and pooled. The heap goes up and down between collections, so its line is less certain.
 */
export const TOLERANCE = { rss: 0.1, heap: 0.2 } as const;

type Measure = keyof typeof TOLERANCE;

/** How the memory of a process went in the second half of a soak: in bytes, by the line that fits best. */
export interface MemoryTrend {
  process: string;
  measure: Measure;
  mean: number;
  growth: number;
}

export function memoryTrends(samples: readonly Sample[]): MemoryTrend[] {
  const processes = Object.keys(samples[0]?.memory ?? {});
  return processes.flatMap((process) => [
    trendOf(process, 'rss', samples, highest(process, samples.slice(0, samples.length / 2))),
    trendOf(process, 'heap', samples, 0),
  ]);
}

/** @param floor lower values count as this */
function trendOf(process: string, measure: Measure, samples: readonly Sample[], floor: number): MemoryTrend {
  const points = samples.slice(samples.length / 2).map(({ atMs, memory }) => {
    return { x: atMs, y: Math.max(floor, memory[process]?.[measure] ?? 0) };
  });
  return { process, measure, mean: meanOf(points.map(({ y }) => y)), growth: fittedGrowth(points) };
}

/** Memory that was given back to the system and is taken again is no leak: what goes beyond the first half is. */
function highest(process: string, samples: readonly Sample[]): number {
  return Math.max(0, ...samples.map(({ memory }) => memory[process]?.rss ?? 0));
}

export function checkMemory(samples: readonly Sample[]): Finding[] {
  if ((samples.at(-1)?.atMs ?? 0) < SHORTEST_MS) return [];
  return memoryTrends(samples)
    .filter(({ measure, mean, growth }) => growth > mean * TOLERANCE[measure])
    .map((trend) => ({ is: 'other', what: `memory is not flat: ${tellTrend(trend)}` }));
}

/** "heap of start: 2.4 MB in the second half, 1.2 % of 201.8 MB (at most 20 %)" */
export function tellTrend({ process, measure, mean, growth }: MemoryTrend): string {
  const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const share = `${((100 * growth) / mean).toFixed(1)} % of ${inMegabytes(mean)}`;
  const most = `at most ${100 * TOLERANCE[measure]} %`;
  return `${measure} of ${process}: ${inMegabytes(growth)} in the second half, ${share} (${most})`;
}
