import type { Environment } from '../../app/environment.ts';
import type { Config, SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { ChangeMeasure, ChangeRule } from '../../core/run.ts';
import { inspectMeasures } from '../../ledger/database/inspect.ts';
import { type ChangeLimits, isJudged, limitsOf, percentageOf } from '../../sync/measure/change-limits.ts';
import { type Finding, type NearestMeasure, ok } from '../findings/finding.ts';

/** Number of runs of each sync that are compared with its limits. */
const RUNS = 30;

type MeasuredRun = { run: string; measures: readonly ChangeMeasure[] };

/** Reports for each sync how near its last runs came to a limit of `changes`. */
export async function* checkLimits(environment: Environment, { syncs }: Config): AsyncGenerator<Finding> {
  const names = syncs.map(({ name }) => name);
  let bySync: Awaited<ReturnType<typeof inspectMeasures>>;
  try {
    bySync = await inspectMeasures(environment, names, RUNS);
  } catch (error) {
    // The check of the ledger has reported that it cannot be read.
    if (error instanceof CodedError) return;
    throw error;
  }
  for (const sync of syncs) {
    const runs = bySync.get(sync.name) ?? [];
    if (runs.length > 0) yield limitsFinding(sync, runs);
  }
}

/** Reports the limit that the runs of a sync came nearest to. The finding has the nearest run for each limit. */
export function limitsFinding(sync: Pick<SyncConfig, 'name' | 'changes'>, runs: readonly MeasuredRun[]): Finding {
  const { name } = sync;
  const limits = limitsOf(sync);
  const nearest = nearestRuns(runs, limits);
  const [first] = nearest.toSorted((one, other) => nearness(other) - nearness(one));
  const among = `in the last ${runs.length === 1 ? 'run' : `${runs.length} runs`}`;
  const check = `limits.${name}`;
  if (!first || first.records === 0) {
    const most = Math.max(...runs.flatMap(({ measures }) => measures.map(({ of }) => of)), 0);
    const few =
      limits.threshold && most < limits.threshold.atLeast
        ? ` (judged from ${limits.threshold.atLeast} records on)`
        : '';
    return { ...ok(check, `${name}: no changes near a limit ${among}${few}.`), limits: nearest };
  }
  const { rule, percent, of, limit, attribute = '' } = first;
  const what = SUBJECTS[rule].replace('ATTRIBUTE', attribute);
  const message = `${name}: ${what}: at most ${percent} % of ${of} records ${among}; holds above ${limit} %.`;
  return { ...ok(check, message), limits: nearest };
}

const SUBJECTS: Record<ChangeRule, string> = {
  threshold: 'changed',
  core: 'title, day or time changed',
  emptied: '"ATTRIBUTE" emptied',
  garbled: 'letters garbled',
  churn: 'missing while others are new',
};

/** For each limit, the run that came nearest to it, among those with enough records to be judged. */
function nearestRuns(runs: readonly MeasuredRun[], limits: ChangeLimits): NearestMeasure[] {
  const nearest = new Map<ChangeRule, NearestMeasure>();
  for (const { run, measures } of runs) {
    for (const measure of measures) {
      const limit = limits[measure.rule];
      const isEnough = limit && (measure.records === 0 ? measure.of >= limit.atLeast : isJudged(measure, limit));
      const percent = Math.round(percentageOf(measure));
      const before = nearest.get(measure.rule);
      if (isEnough && (!before || percent > before.percent)) {
        nearest.set(measure.rule, { run, ...measure, percent, limit: limit.percent });
      }
    }
  }
  return [...nearest.values()];
}

function nearness({ percent, limit }: NearestMeasure): number {
  return limit === 0 ? percent : percent / limit;
}
