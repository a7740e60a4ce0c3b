import { sql, type Transaction } from 'kysely';
import { isUnderWay } from '../database/conditions.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { type HeldChange, holdStaged, type StagedCreate, stagedRows, toCreate } from './adoptions.ts';
import { type OtherRecord, type OthersOf, otherSyncs, othersAmong } from './other-records.ts';

/** How creates are compared with those of runs that have planned at the same time. */
export interface Racing extends OthersOf {
  /** Returns the creates to hold. `distinctHash`: of what a person has said a create is different from. */
  find(others: readonly OtherRecord[], creates: ReadonlyArray<StagedCreate & { distinctHash?: string }>): HeldChange[];
}

/**
 * Holds the creates of a plan that look like records of runs that have planned at the same time: neither plan knew of the other.
 * Only one transaction at a time does this and then makes its plan the desired state, so the second one sees the first.
 * @returns whether it has held any
 */
export async function holdRacing(
  transaction: Transaction<LedgerTables>,
  { run, racing }: { run: string; racing: Racing },
  { lockCreates, forRows }: Pick<LedgerDatabase, 'lockCreates' | 'forRows'>,
): Promise<boolean> {
  if (lockCreates) await lockCreates.execute(transaction);
  const runs = await runsMeanwhile(transaction, run, racing);
  if (runs.length === 0) return false;
  const isOther = sql`${isOneOf('run', runs)}`;
  const others: OtherRecord[] = [];
  for await (const page of othersAmong(run, racing.resource, isOther, transaction)) others.push(...page);
  if (others.length === 0) return false;
  const { sync } = racing;
  // The undo of a delete is what a person has asked for.
  const rows = await stagedRows<{ distinct_hash: string | null }>(
    run,
    transaction,
    sql`op = 'create' and expects is null`,
    sql`coalesce(asked_hash, (
      select about_hash from records join questions on questions.record = records.id and kind = 'item' and answer = 'distinct'
      where records.sync = ${sync} and records.key = staged_changes.key
    )) as distinct_hash`,
  );
  const creates = rows.map(({ distinct_hash, ...row }) => ({
    ...toCreate(row),
    ...(distinct_hash !== null && { distinctHash: distinct_hash }),
  }));
  const held = racing.find(others, creates);
  await holdStaged(transaction, run, held, forRows);
  return held.length > 0;
}

/** So many runs at most are looked at, the newest first, besides those that are under way. */
const RECENT = 500;

/** Runs of other syncs at the same destination that were under way at some time since a run began. */
async function runsMeanwhile(transaction: Transaction<LedgerTables>, run: string, of: OthersOf): Promise<string[]> {
  const rows = await all<{ id: string; sync: string }>(transaction)`
    select id, sync from runs where ${isUnderWay} and sync <> ${of.sync}
    union
    select id, sync from (select id, sync, finished_at from runs order by started_at desc, id desc limit ${sql.lit(RECENT)}) as recent
    where sync <> ${of.sync} and finished_at >= (select started_at from runs where id = ${run})
  `;
  if (rows.length === 0) return [];
  const syncs = new Set(await otherSyncs(transaction, of));
  return rows.filter(({ sync }) => syncs.has(sync)).map(({ id }) => id);
}
