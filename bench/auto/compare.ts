import type { Profile } from './profiles.ts';
import { type Outcome, type Setting, simulate } from './simulate.ts';

/** What a found pace came to, beside fixed numbers of requests in flight. */
export interface Comparison {
  found: Outcome;
  /** Requests per second with the best fixed number. */
  best: number;
  /** What is not as it should be. */
  misses: string[];
}

/** The numbers of requests in flight that are compared with the found one. */
export function fixedNumbers(most: number): number[] {
  return [1, 2, 4, 8, 16, 32].filter((count) => count <= most);
}

export function compare(profile: Profile, setting: Setting): Comparison {
  const found = simulate(profile, setting);
  const best = Math.max(
    ...fixedNumbers(setting.most).map((fixed) => simulate(profile, { ...setting, fixed }).perSecond),
  );
  return { found, best, misses: missesOf(found, best) };
}

/** The limits of what is good enough: throughput, refused requests (429), response times. */
export function missesOf({ perSecond, refused, p95 }: Pick<Outcome, 'perSecond' | 'refused' | 'p95'>, best: number) {
  return [
    ...(perSecond < 0.85 * best ? ['throughput'] : []),
    ...(refused >= 0.01 ? ['refused'] : []),
    ...(p95 > 1.5 ? ['p95'] : []),
  ];
}
