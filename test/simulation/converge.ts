import type { RunReport } from '../../src/core/run.ts';
import { retryRun } from '../../src/sync/runs/retry-run.ts';
import type { Finding } from './checks/finding.ts';
import { approveOn, BUSY_FOR_MS, rest, type Site, syncOn, toEnd } from './site.ts';

const MOST_RUNS = 8;
/** The second one deletes what has been missing since the first; after a disaster, the first one finds the items again. */
const SUCCESSES = { otherwise: 2, afterDisaster: 3 };

/** Syncs as an operator would, until some runs in a row were successes. */
export async function converge(site: Site): Promise<Finding[]> {
  let successes = 0;
  let last: RunReport | undefined;
  const enough = site.disasters.size > 0 ? SUCCESSES.afterDisaster : SUCCESSES.otherwise;
  for (let runs = 0; successes < enough; runs += 1) {
    if (runs === MOST_RUNS) {
      const why = JSON.stringify(last?.problems ?? last?.error);
      return [{ is: 'unsettled', what: `after ${MOST_RUNS} runs the last one is ${last?.status}: ${why}` }];
    }
    const ended = await toEnd(site, `run ${runs + 1} of the end`, syncOn(site, runs));
    if (!ended) return [{ is: 'broken', what: `run ${runs + 1} of the end never ended` }];
    const { report } = ended;
    last = report;
    // A run of a process that was stopped may still be under way.
    if (!report) await rest(site, BUSY_FOR_MS);
    successes = report?.status === 'success' ? successes + 1 : 0;
    // A file that could not be read waits for its next try, unless a person asks for it.
    if (report?.withoutFiles) {
      const retry = (name: string) => site.crew.command(runs, name, (context) => retryRun(undefined, context));
      await toEnd(site, `retry of files ${runs + 1}`, retry);
    }
    if (report?.status === 'held') await toEnd(site, 'approval', approveOn(site, runs, report.run));
  }
  return [];
}
