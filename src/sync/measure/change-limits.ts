import type { SyncConfig } from '../../config/types.ts';
import type { ChangeMeasure, ChangeRule } from '../../core/run.ts';
import type { ShownMeasure } from './measure-changes.ts';

/** A plan is held if more than `percent` of the records are affected, out of `atLeast` so many, and not fewer than `fewest`. */
export interface ChangeLimit {
  percent: number;
  atLeast: number;
  fewest: number;
}

interface RuleLimit extends ChangeLimit {
  /** For records that have all changed in the same way. */
  uniform: ChangeLimit;
}

/** The limits of a sync; without those that it has turned off. */
type ChangeLimits = Partial<Record<ChangeRule, RuleLimit>>;

/** Uniform changes hold from so many records on, whatever the size of the feed. */
const FEWEST_UNIFORM = 3;

const defaults: Record<ChangeRule, ChangeLimit & { uniformPercent: number }> = {
  threshold: { percent: 50, atLeast: 20, fewest: 1, uniformPercent: 70 },
  core: { percent: 20, atLeast: 20, fewest: 1, uniformPercent: 70 },
  emptied: { percent: 25, atLeast: 5, fewest: 4, uniformPercent: 50 },
  garbled: { percent: 50, atLeast: 3, fewest: 3, uniformPercent: 100 },
  churn: { percent: 50, atLeast: 5, fewest: 5, uniformPercent: 100 },
};

export function limitsOf({ changes = {} }: Pick<SyncConfig, 'changes'>): ChangeLimits {
  const limits: ChangeLimits = {};
  for (const rule of Object.keys(defaults) as ChangeRule[]) {
    // Who allows more changes of any attribute allows them of title, day and time, too.
    const general = rule === 'core' ? changes.threshold : undefined;
    const given = changes[rule] ?? general;
    if (given === false) continue;
    const { fewest, uniformPercent, ...usual } = defaults[rule];
    const { percent = usual.percent, atLeast }: Partial<ChangeLimit> = { ...general, ...given };
    limits[rule] = {
      ...limit(percent, atLeast ?? usual.atLeast, fewest),
      uniform: limit(Math.max(percent, uniformPercent), atLeast ?? FEWEST_UNIFORM, FEWEST_UNIFORM),
    };
  }
  return limits;
}

function limit(percent: number, atLeast: number, fewest: number): ChangeLimit {
  return { percent, atLeast, fewest: Math.min(fewest, atLeast) };
}

/** Returns the limit for a measure; undefined: the sync has turned it off. */
export function limitFor({ rule, uniform }: Pick<ShownMeasure, 'rule' | 'uniform'>, limits: ChangeLimits) {
  return uniform ? limits[rule]?.uniform : limits[rule];
}

/** The share of the records, in percent. */
export function percentageOf({ records, of }: Pick<ChangeMeasure, 'records' | 'of'>): number {
  return of === 0 ? 0 : (100 * records) / of;
}

export function exceeds(measure: Pick<ChangeMeasure, 'records' | 'of'>, limit: ChangeLimit | undefined): boolean {
  return limit !== undefined && measure.of >= limit.atLeast && mayExceed(measure, limit);
}

/** Whether a measure exceeds a limit if there are no other records that could be affected. */
export function mayExceed(measure: Pick<ChangeMeasure, 'records' | 'of'>, limit: ChangeLimit | undefined): boolean {
  return limit !== undefined && measure.records >= limit.fewest && percentageOf(measure) > limit.percent;
}
