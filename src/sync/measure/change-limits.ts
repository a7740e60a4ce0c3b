import type { SyncConfig } from '../../config/types.ts';
import type { ChangeMeasure, ChangeRule } from '../../core/run.ts';

/** A plan is held if more than `percent` of the records are affected, out of `atLeast` so many, and not fewer than `fewest`. */
export interface ChangeLimit {
  percent: number;
  atLeast: number;
  fewest: number;
}

/** The limits of a sync; without those that it has turned off. */
export type ChangeLimits = Partial<Record<ChangeRule, ChangeLimit>>;

const defaults: Record<ChangeRule, ChangeLimit> = {
  threshold: { percent: 50, atLeast: 20, fewest: 1 },
  core: { percent: 20, atLeast: 20, fewest: 1 },
  emptied: { percent: 25, atLeast: 5, fewest: 4 },
  garbled: { percent: 50, atLeast: 3, fewest: 3 },
  churn: { percent: 50, atLeast: 5, fewest: 5 },
};

export function limitsOf({ changes = {} }: Pick<SyncConfig, 'changes'>): ChangeLimits {
  const limits: ChangeLimits = {};
  for (const rule of Object.keys(defaults) as ChangeRule[]) {
    // Who allows more changes of any attribute allows them of title, day and time, too.
    const general = rule === 'core' ? changes.threshold : undefined;
    const given = changes[rule] ?? general;
    if (given === false) continue;
    const { percent, atLeast, fewest } = defaults[rule];
    const all = { percent, atLeast, ...defined(general || {}), ...defined(given ?? {}) };
    limits[rule] = { ...all, fewest: Math.min(fewest, all.atLeast) };
  }
  return limits;
}

/** The share of the records, in percent. */
export function percentageOf({ records, of }: Pick<ChangeMeasure, 'records' | 'of'>): number {
  return of === 0 ? 0 : (100 * records) / of;
}

/** Whether there are enough records for a limit to apply. */
export function isJudged({ records, of }: Pick<ChangeMeasure, 'records' | 'of'>, limit: ChangeLimit): boolean {
  return of >= limit.atLeast && records >= limit.fewest;
}

export function exceeds(measure: Pick<ChangeMeasure, 'records' | 'of'>, limit: ChangeLimit | undefined): boolean {
  return limit !== undefined && isJudged(measure, limit) && percentageOf(measure) > limit.percent;
}

function defined({ percent, atLeast }: { percent?: number; atLeast?: number }) {
  return { ...(percent !== undefined && { percent }), ...(atLeast !== undefined && { atLeast }) };
}
