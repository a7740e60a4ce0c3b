import { sql } from 'kysely';
import { sinceFound } from '../verifications/open-differences.ts';

/** The kinds of changes in a plan, in the order in which they are listed: changes that lose data come first. */
export const plannedOps = ['delete', 'mark', 'update', 'create'] as const;

export type PlannedOp = (typeof plannedOps)[number];

/** What a plan does with an item. A repair stages the record of an item that was deleted in the CMS as an update. */
export type PlannedEffect = PlannedOp | 'createAgain';

/** Of `staged_changes`. */
export const plannedEffect = sql<PlannedEffect>`case
  when staged_changes.op = 'update' and exists (
    select 1 from runs
    join verifications on verifications.sync = runs.sync
    join differences on differences.sync = runs.sync and differences.key = staged_changes.key
    where runs.id = staged_changes.run and runs.error_code = 'FF_REPAIR_HELD'
      and differences.cause = 'deleted' and ${sinceFound} = 'open'
  ) then 'createAgain' else staged_changes.op end`;
