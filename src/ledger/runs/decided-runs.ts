import type { Kysely } from 'kysely';
import { type RunCounts, withRest } from '../../core/run.ts';
import type { DeedsTable, LedgerTables } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';

/** What a person has decided about the plan of a held run. */
export interface HoldDecision {
  is: 'approved' | 'rejected';
  by: string;
  via: DeedsTable['via'];
  /** ISO instant. */
  at: string;
  reason?: string;
  /** The run that applies the approved plan. */
  appliedBy?: string;
}

/** A held run, and the set of changes for which it is held. */
interface HeldRun {
  id: string;
  sync: string;
  held_set: string | null;
  finished_at: number | null;
  /** Has the number of records that the plan would create or change. */
  counts: string;
  /** Whether its plan waits for a decision. */
  isKept: boolean;
}

type DecidingDeed = Pick<DeedsTable, 'deed' | 'run' | 'about' | 'doer' | 'via' | 'done_at' | 'reason'>;

/** Adds to held runs what a person has decided about their plans. */
export async function withDecisions<Run extends { run: string }>(
  runs: readonly Run[],
  db: Kysely<LedgerTables>,
): Promise<Array<Run & { decision?: HoldDecision }>> {
  if (runs.length === 0) return [];
  const wanted = runs.map(({ run }) => run);
  const known = (
    await all<Omit<HeldRun, 'isKept'> & { kept: number }>(db)`
      select id, sync, held_set, finished_at, counts,
        case when exists (select 1 from staged_changes where staged_changes.run = runs.id) then 1 else 0 end as kept
      from runs where status = 'held' and held_set is not null and (sync, held_set) in (
        select sync, held_set from runs where ${isOneOf('id', wanted)} and status = 'held' and held_set is not null
      )
    `
  ).map(({ kept, ...run }): HeldRun => ({ ...run, isKept: kept === 1 }));
  if (known.length === 0) return [...runs];
  const ids = known.map(({ id }) => id);
  const deeds = await all<DecidingDeed>(db)`
    select deed, run, about, doer, via, done_at, reason from deeds
    where (deed = 'approve' and ${isOneOf('about', ids)}) or (deed = 'reject' and ${isOneOf('run', ids)})
    order by done_at
  `;
  return runs.map((run) => {
    const own = known.find(({ id }) => id === run.run);
    const decision = own && decisionOn(own, known, deeds);
    return decision ? { ...run, decision } : run;
  });
}

/**
 * Returns the decision that applies to a held run: the first one about its changes after the run has ended, else an earlier
 * rejection of the same plan: if the feed has other changes, too, they would be held without anybody being asked. An approval does not
 * count if its plan is kept again, because it could not be applied.
 * @param known the held runs with the same set of changes, and others
 * @param deeds the decisions about them, in the order of time
 */
export function decisionOn(
  run: HeldRun,
  known: readonly HeldRun[],
  deeds: readonly DecidingDeed[],
): HoldDecision | undefined {
  const alike = known.filter(({ sync, held_set }) => sync === run.sync && held_set === run.held_set);
  const own = deeds.filter(({ deed, run: begun, about, done_at }) => {
    if (!alike.some(({ id }) => id === (deed === 'reject' ? begun : about))) return false;
    return deed === 'reject' || !alike.some((each) => each.isKept && Number(each.finished_at) <= done_at);
  });
  const later = own.find(({ done_at }) => done_at >= Number(run.finished_at));
  const deed = later ?? own.at(-1);
  if (!deed) return undefined;
  if (!later) {
    const rejected = alike.find(({ id }) => deed.deed === 'reject' && id === deed.run);
    if (!rejected || heldIn(rejected) !== heldIn(run)) return undefined;
  }
  return {
    is: deed.deed === 'reject' ? 'rejected' : 'approved',
    by: deed.doer,
    via: deed.via,
    at: new Date(deed.done_at).toISOString(),
    ...(deed.reason !== null && { reason: deed.reason }),
    ...(deed.deed === 'approve' && deed.run !== null && { appliedBy: deed.run }),
  };
}

function heldIn({ counts }: HeldRun): number {
  return withRest(JSON.parse(counts) as RunCounts, 'held').held;
}
