import type { RunReport } from '../../src/core/run.ts';
import { adoptRun } from '../../src/sync/runs/adopt-run.ts';
import { retryRun } from '../../src/sync/runs/retry-run.ts';
import type { Finding } from './checks/finding.ts';
import { EXTERNAL_ID, hasOtherSync, OTHER_SYNC, SYNC } from './plan/settings.ts';
import { approveOn, BUSY_FOR_MS, rest, retryOn, type Site, syncOn, toEnd } from './site.ts';
import { itemsOf } from './world/items.ts';

const MOST_RUNS = 8;
/** The second one deletes what has been missing since the first; after a disaster, the first one finds the items again. */
const SUCCESSES = { otherwise: 2, afterDisaster: 3 };

const WITH_REFUSALS = ['refused writes', 'updates in doubt that are taken back'] as const;

/** What a person adopts: an item that may be that of a record, or a copy of it. */
const TO_BE_ADOPTED = ['FF_ADOPT_AMBIGUOUS', 'FF_CMS_UNPROVEN'];

/** What waits for a person's answer, and is no trouble. */
const TO_BE_ANSWERED = ['FF_RECORD_ALIKE'];

/** All syncs, one after the other: what the first one deletes may be due in the other. */
export async function convergeAll(site: Site): Promise<Finding[]> {
  const findings = await converge(site);
  return hasOtherSync(site.settings) ? [...findings, ...(await converge(site, OTHER_SYNC))] : findings;
}

/** Syncs as an operator would, until some runs in a row were successes. */
export async function converge(site: Site, sync = SYNC): Promise<Finding[]> {
  let successes = 0;
  let last: RunReport | undefined;
  // What the CMS has refused is not sent again by itself.
  const isRetried = WITH_REFUSALS.some((name) => site.settings.features.includes(name));
  const enough = site.disasters.size > 0 ? SUCCESSES.afterDisaster : SUCCESSES.otherwise;
  for (let runs = 0; successes < enough; runs += 1) {
    if (runs === MOST_RUNS) {
      const why = JSON.stringify(last?.problems ?? last?.error);
      return [{ is: 'unsettled', what: `after ${MOST_RUNS} runs the last one is ${last?.status}: ${why}` }];
    }
    const ended = await toEnd(site, `run ${runs + 1} of the end`, syncOn(site, runs, { sync }));
    if (!ended) return [{ is: 'broken', what: `run ${runs + 1} of the end never ended` }];
    const { report } = ended;
    last = report;
    // A run of a process that was stopped may still be under way.
    if (!report) await rest(site, BUSY_FOR_MS);
    successes = report && isDone(report) ? successes + 1 : 0;
    if (report?.status === 'held') await approve(site, runs, report);
    if (report && site.disasters.size > 0) await adoptDoubtful(site, runs, report);
    if (report) await answer(site, runs, report);
    // What the CMS has refused is not sent again by itself, and a file that could not be read waits for its next try.
    if ((report?.status === 'partial' && isRetried) || report?.withoutFiles) {
      await toEnd(site, 'retry', retryOn(site, runs, { sync }));
    }
  }
  return [];
}

/** An approval covers what was shown: it may be held for another reason, and then be approved, too. */
async function approve(site: Site, by: number, { run, sync }: RunReport): Promise<void> {
  const ended = await toEnd(site, 'approval', approveOn(site, by, run, { sync }));
  const next = ended?.report;
  if (next?.status === 'held') await toEnd(site, 'second approval', approveOn(site, by, next.run, { sync }));
}

/** In this world, a record is what has its key, unless the key has passed on. */
async function answer(site: Site, by: number, { sync, problems }: RunReport): Promise<void> {
  const usual: Partial<Record<string, 'same' | 'distinct'>> = { FF_KEY_REUSED: 'same', FF_KEY_CHANGED: 'distinct' };
  const trueAbout = ({ key, code, reason }: RunReport['problems'][number]) => {
    const [, earlier = key] = /\(([^()]+)\) \(item \d+\), which/.exec(reason) ?? [];
    // Of several sources, each has its name before its keys.
    const [own, other] = [key, earlier].map((each) => each.slice(each.indexOf('/') + 1)) as [string, string];
    const { isSameUnder } = site.rows;
    const isSame = usual[code] && (isSameUnder(key, earlier) ?? isSameUnder(own, other));
    return isSame === undefined ? usual[code] : isSame ? 'same' : 'distinct';
  };
  for (const said of ['same', 'distinct'] as const) {
    const keys = problems.flatMap((problem) => (trueAbout(problem) === said ? [problem.key] : []));
    if (keys.length === 0) continue;
    const retry = (name: string) =>
      site.crew.command(by, name, (context) => retryRun(keys, context, { answer: said }), { sync });
    await toEnd(site, 'answer', retry);
  }
}

/** After a disaster, a person has to say that an item whose content differs too much is the one with the external id. */
async function adoptDoubtful(site: Site, by: number, { sync, problems }: RunReport): Promise<void> {
  for (const { key } of problems.filter(({ code }) => TO_BE_ADOPTED.includes(code))) {
    const named = itemsOf(site.cms).filter(({ [EXTERNAL_ID]: id }) => id === `${sync}:${key}`);
    // A person knows a copy.
    const [item, ...more] = named.filter(({ id }) => !site.editors.isOwn(id));
    if (!item || more.length > 0) continue;
    const adopt = (name: string) => site.crew.command(by, name, (context) => adoptRun(key, item.id, context), { sync });
    await toEnd(site, 'adoption', adopt);
  }
}

function isDone({ status, problems }: RunReport): boolean {
  const isAnswerNeeded = problems.length > 0 && problems.every(({ code }) => TO_BE_ANSWERED.includes(code));
  return status === 'success' || (status === 'partial' && isAnswerNeeded);
}
