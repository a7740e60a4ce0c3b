import type { Finding } from '../crash/finding.ts';
import type { Sample } from './sample.ts';
import { fittedGrowth, meanOf } from './trend.ts';

/** Before that a process is still warming up, and nothing can be said about a trend. */
const SHORTEST_MS = 120_000;
/** What memory may grow by the fitted line in the second half of a soak: a share of its mean. */
export const TOLERANCE = 0.1;

/** How the memory of a process went in the second half of a soak: in bytes, by the fitted line. */
export interface MemoryTrend {
  process: string;
  mean: number;
  growth: number;
}

/** The first half is left out: there things are compiled, cached and pooled. */
export function memoryTrends(samples: readonly Sample[]): MemoryTrend[] {
  const second = samples.slice(samples.length / 2);
  const processes = Object.keys(second[0]?.memory ?? {});
  return processes.map((process) => {
    const points = second.map(({ atMs, memory }) => ({ x: atMs, y: memory[process]?.rss ?? 0 }));
    return { process, mean: meanOf(points.map(({ y }) => y)), growth: fittedGrowth(points) };
  });
}

export function checkMemory(samples: readonly Sample[]): Finding[] {
  if ((samples.at(-1)?.atMs ?? 0) < SHORTEST_MS) return [];
  return memoryTrends(samples)
    .filter(({ mean, growth }) => growth > mean * TOLERANCE)
    .map(({ process, mean, growth }) => {
      const [grown, average] = [growth, mean].map((bytes) => (bytes / 1e6).toFixed(1));
      return { is: 'other', what: `memory of ${process} grew by ${grown} MB of ${average} MB in the second half` };
    });
}
