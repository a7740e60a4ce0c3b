import { type RawBuilder, sql } from 'kysely';
import { sinceFound } from '../verifications/open-differences.ts';

/** The kinds of changes in a plan, in the order in which they are listed: changes that lose data come first. */
export const plannedOps = ['delete', 'mark', 'update', 'create'] as const;

export type PlannedOp = (typeof plannedOps)[number];

/** What a plan does with an item. A repair stages the record of an item that was deleted in the CMS as an update. */
export type PlannedEffect = PlannedOp | 'createAgain';

/** Of `staged_changes` of a repair: an open difference of the record that the verification has found, as JSON; null: none. */
const differenceFound = (cause: 'deleted' | 'edited', isRepair: RawBuilder<unknown>) => sql<string | null>`(
    select differences.detail from runs
    join verifications on verifications.sync = runs.sync
    join records on records.sync = runs.sync and records.key = staged_changes.key
    join differences on differences.record = records.id
    where runs.id = staged_changes.run and ${isRepair}
      and differences.cause = ${sql.lit(cause)} and ${sinceFound} = 'open'
    limit 1
  )`;

/** Of `staged_changes`. */
export const plannedEffect = sql<PlannedEffect>`case
  when staged_changes.op = 'update' and ${differenceFound('deleted', sql`runs.error_code = 'FF_REPAIR_HELD'`)} is not null
  then 'createAgain' else staged_changes.op end`;

/** Of `staged_changes` of a repair: what the verification has found, with the values of an edited item. */
export const editFound = differenceFound('edited', sql`runs.kind = 'retry'`);

/** Of `staged_changes`: the plan changes an item. Written like the condition of the index. */
export const isPlanned = sql`op in ('create', 'update', 'delete', 'mark')`;
