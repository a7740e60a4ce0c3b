import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import { hashOf, hasOpenAttempt, isAsDesired, isNotThrough, isUndelivered } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn } from '../database/item-state.ts';
import { pagesByKey } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables, StagedChangesTable } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { storeQuestions } from '../questions/questions.ts';
import { addContents } from '../records/contents.ts';
import { moveToNewKeys } from '../records/followers.ts';
import { noteCreates, readClaims } from '../records/open-claims.ts';
import { acted, doubted, leftAlone, move, noted, planned, replanned, withdrawn } from '../records/transitions.ts';
import { changeStaged } from './adoptions.ts';
import { dropHeldIn } from './held-plans.ts';
import { holdRacing, type Racing } from './hold-racing.ts';
import { type Covered, forgetMissing, isMissing, isStaged, noteMissing, noteReleased } from './missing-records.ts';
import type { Verdict } from './verdict.ts';

/** Conditions of applying a plan, besides the plan itself. */
export interface ApplyRules {
  /** Absent: the plan creates nothing. */
  verdict?: Verdict;
  /** Keeps passwords even if the CMS has the account, because it may have to be created again. */
  keepPasswords?: boolean;
  /** The plan names all of these records that the source has: the others are missing, and not retried. */
  provesAbsence?: Covered;
  /** Creates are compared with those of runs that have planned at the same time. */
  racing?: Racing;
}

const isChange = sql<boolean>`op in ('create', 'update', 'held', 'failed')`;

interface AppliedPlan extends ApplyRules, Pick<LedgerDatabase, 'now' | 'lockCreates' | 'lockRows' | 'forRows'> {
  run: string;
  sync: string;
}

/** Makes a staged plan the desired state, in one transaction, and returns the keys to deliver. */
export function makeDesired(db: Kysely<LedgerTables>, plan: AppliedPlan): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    await refuseEnded(transaction, plan);
    const work = await workOf(transaction, plan);
    refuseUnjudged(Number(work.creates), plan);
    if (work.held) await dropHeldIn(transaction, plan.sync);
    const isOfSync = sql<boolean>`sync = ${plan.sync}`;
    if (work.claimed) await noteCreates(transaction, await readClaims(transaction, isOfSync, plan), plan);
    const { racing } = plan;
    const hasHeld = racing && work.creates ? await holdRacing(transaction, { run: plan.run, racing }, plan) : false;
    if (plan.provesAbsence && work.absent) await noteMissing(transaction, { ...plan, covered: plan.provesAbsence });
    if (work.missing) await forgetMissing(transaction, plan);
    if (work.moves) {
      await moveToNewKeys(transaction, plan);
      await moveMembers(transaction, plan);
      await noteReleased(transaction, plan);
    }
    if (work.open || work.claimed) await keepSent(transaction, plan);
    const desired = work.changes ? await desire(transaction, plan, Boolean(work.known)) : [];
    if (work.questions || hasHeld) await storeQuestions(transaction, plan);
    if (work.accounts) await keepPasswords(transaction, plan);
    const acted = work.actions ? await act(transaction, plan) : [];
    if (work.sources || work.moves) await noteSources(transaction, plan);
    // What a backfill skips is of other days: the source still has it.
    const isLeft = !work.backfill && (work.skipped || plan.provesAbsence) ? isNoLongerRead(plan) : undefined;
    if (work.undelivered && (work.unchanged || isLeft)) await settleWithdrawn(transaction, plan, isLeft);
    if (work.undelivered && isLeft) await markNotRetried(transaction, plan, isLeft);
    return [...desired, ...acted];
  });
}

/** Refuses the plan of a run that another process has ended while this one was suspended: the plan may be partly deleted. */
async function refuseEnded(transaction: Transaction<LedgerTables>, { run }: AppliedPlan): Promise<void> {
  const isRunning = await change(transaction)`
    update runs set lease_until = lease_until where id = ${run} and status = 'running'
  `;
  if (isRunning > 0) return;
  throw new CodedError('FF_RUN_ABANDONED', `The run ${run} was ended by another process, while this one was silent.`);
}

/** Refuses creates that nothing has judged: they may be what the ledger or the CMS has already. */
function refuseUnjudged(creates: number, { run, verdict }: AppliedPlan): void {
  const judged = verdict?.creates ?? 0;
  if (creates <= judged) return;
  throw new CodedError('FF_BUG', `The plan of run ${run} has ${creates} creates, of which ${judged} were judged.`);
}

/** Which steps have work to do. Most plans change little, so most statements would change nothing. */
async function workOf(transaction: Transaction<LedgerTables>, { run, sync, provesAbsence }: AppliedPlan) {
  const isAbsent = provesAbsence ? isMissing(run, provesAbsence) : sql`1 = 0`;
  const ofSync = (condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from records where sync = ${sync} and ${condition})`;
  const { rows } = await sql<Record<string, number | boolean>>`
    select
      count(case when ${isChange} then 1 end) as changes,
      count(case when op = 'create' then 1 end) as creates,
      count(case when ${isChange} and resource = 'accounts' then 1 end) as accounts,
      count(case when op in ('delete', 'mark', 'restore') then 1 end) as actions,
      count(case when op = 'unchanged' then 1 end) as unchanged,
      count(case when op = 'unchanged' then source_hash end) as sources,
      count(case when op = 'skipped' then 1 end) as skipped,
      count(previous_key) as moves,
      count(asked_about) as questions,
      ${ofSync(sql`1 = 1`)} as known,
      ${ofSync(isAbsent)} as absent,
      ${ofSync(sql`missing_since is not null`)} as missing,
      ${ofSync(isUndelivered)} as undelivered,
      exists (
        select 1 from attempts cross join records where attempts.doubt is not null and records.id = attempts.record and records.sync = ${sync}
      ) as open,
      exists (select 1 from claims where sync = ${sync}) as claimed,
      exists (select 1 from runs where sync = ${sync} and held_set is not null) as held,
      exists (select 1 from runs where id = ${run} and kind = 'backfill') as backfill
    from staged_changes where run = ${run}
  `.execute(transaction);
  return rows[0] ?? {};
}

/**
 * The records of other sources stay with a record whose source has given it another key. One that a sync had from a former source, and has
 * under another key again, is its own.
 */
async function moveMembers(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update members set cluster = staged_changes.key from staged_changes, members as found
    where members.sync = ${sync} and staged_changes.run = ${run} and staged_changes.previous_key is not null
      and found.sync = ${sync} and found.key = staged_changes.key
      and (members.key = found.key or (members.cluster = staged_changes.previous_key and members.source <> found.source))
  `.execute(transaction);
  await sql`
    delete from members where sync = ${sync}
      and cluster in (select previous_key from staged_changes where run = ${run} and previous_key is not null)
      and cluster not in (select key from staged_changes where run = ${run})
  `.execute(transaction);
}

/** Keeps with open attempts what they have sent, if the desired state changes: an attempt without a body has sent what is desired. */
async function keepSent(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update attempts set body = contents.payload
    from records, staged_changes, contents
    where contents.id = records.wanted and attempts.doubt is not null and attempts.body is null and attempts.method is distinct from 'DELETE'
      and records.id = attempts.record and records.sync = ${sync}
      and staged_changes.run = ${run} and staged_changes.key = records.key and staged_changes.wanted is not null
      and staged_changes.hash is distinct from contents.hash
  `.execute(transaction);
}

/**
 * Makes changes pending, or settles those that the plan itself holds back. Returns the pending keys, by the days of their events: what
 * is delivered together is on few pages of the CMS. Goes through the plan in pages, because SQLite keeps in memory what it needs to
 * undo a statement.
 */
async function desire(transaction: Transaction<LedgerTables>, plan: AppliedPlan, knowsAny: boolean): Promise<string[]> {
  const pending: Array<{ key: string; day: string }> = [];
  const read = (after: string, limit: number) =>
    all<Pick<StagedChangesTable, 'key' | 'op' | 'starts_on'>>(transaction)`
      select key, op, starts_on from staged_changes
      where run = ${plan.run} and ${isChange} and key > ${after} order by key limit ${limit}
    `;
  for await (const page of pagesByKey(read)) {
    await desirePage(transaction, plan, page, knowsAny);
    for (const { key, op, starts_on } of page) {
      if (op === 'create' || op === 'update') pending.push({ key, day: starts_on ?? '' });
    }
  }
  return pending.sort((one, other) => Number(one.day > other.day) - Number(one.day < other.day)).map(({ key }) => key);
}

async function desirePage(
  transaction: Transaction<LedgerTables>,
  plan: AppliedPlan,
  page: ReadonlyArray<{ key: string }>,
  knowsAny: boolean,
): Promise<void> {
  const [first = '', last = ''] = [page[0]?.key, page.at(-1)?.key];
  const { run, sync } = plan;
  const isOfPage = sql`staged_changes.run = ${run} and staged_changes.key between ${first} and ${last} and ${isChange}`;
  const where = sql`records.sync = ${sync} and records.key = staged_changes.key and ${isOfPage}`;
  const known = knowsAny ? await change(transaction)`${move(replanned, { from: sql`staged_changes`, where })}` : 0;
  if (known !== page.length) await planned(sync, isOfPage).execute(transaction);
}

/** Keeps the passwords of accounts that the CMS may not have, and no other passwords of the records that a plan changes. */
async function keepPasswords(
  transaction: Transaction<LedgerTables>,
  { run, sync, keepPasswords: keepsAll }: AppliedPlan,
): Promise<void> {
  const changed = sql`from staged_changes cross join records
    where staged_changes.run = ${run} and ${isChange} and records.sync = ${sync} and records.key = staged_changes.key`;
  await change(transaction)`delete from passwords where record in (select records.id ${changed})`;
  const isNeeded = keepsAll ? sql`1 = 1` : sql`(records.cms_id is null or records.knows = 'maybeGone')`;
  await change(transaction)`
    insert into passwords (record, sealed) select records.id, staged_changes.password ${changed}
      and staged_changes.password is not null and records.status <> 'deleted' and ${isNeeded}
  `;
}

/** The mark or restore of an item asks for a part of it. Of a deleted item, the rest would be unknown. */
async function keepWhole(transaction: Transaction<LedgerTables>, { run, sync, forRows }: AppliedPlan): Promise<void> {
  const parts = await all<{ key: string } & DeliveredColumns>(transaction)`
    select records.key, delivered, records.item from staged_changes
    join record_contents as records on records.sync = ${sync} and records.key = staged_changes.key
    where staged_changes.run = ${run} and op = 'delete' and goal in ('mark', 'restore')
  `;
  const contents = parts.map((row) => ({ payload: JSON.stringify(deliveredIn(row) ?? {}) }));
  const ids = await addContents(transaction, contents, { forRows });
  const rows = parts.map(({ key }, index) => ({ key, wanted: ids[index] ?? null }));
  await changeStaged(transaction, run, rows, forRows);
}

/** Makes pending what deletes, marks or restores items. Returns the keys. */
async function act(transaction: Transaction<LedgerTables>, plan: AppliedPlan): Promise<string[]> {
  const { run, sync } = plan;
  await keepWhole(transaction, plan);
  const { rows } = await move<{ key: string }>(acted, {
    from: sql`staged_changes`,
    where: sql`staged_changes.run = ${run} and staged_changes.op in ('delete', 'mark', 'restore')
      and records.sync = ${sync} and records.key = staged_changes.key`,
    returning: sql`records.key`,
  }).execute(transaction);
  return rows.map(({ key }) => key);
}

/** Records that source records are unchanged in the CMS, so that the next runs need not map them again. */
async function noteSources(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await move(noted, {
    from: sql`staged_changes`,
    where: sql`staged_changes.run = ${run} and staged_changes.op = 'unchanged'
      and (staged_changes.source_hash is not null or staged_changes.previous_key is not null)
      and records.sync = ${sync} and records.key = staged_changes.key
      and ${hashOf('wanted')} = staged_changes.hash and ${isAsDesired}
      and records.starts_on is not distinct from staged_changes.starts_on
      and records.ends_on is not distinct from staged_changes.ends_on`,
  }).execute(transaction);
}

/** Of records: the source now skips the record, or no longer has it. */
function isNoLongerRead({ run, provesAbsence }: AppliedPlan): RawBuilder<boolean> {
  const isAbsent = provesAbsence ? sql`not ${isStaged(run)}` : sql`1 = 0`;
  return sql<boolean>`(${isStaged(run, sql`op = 'skipped'`)} or ${isAbsent})`;
}

/**
 * Settles undelivered changes that the source has taken back: the CMS has the desired state. So it has if an undo or a purge has
 * ended before it came to a record that the source no longer has. If an attempt was opened since the plan was made, the next plan
 * decides.
 */
async function settleWithdrawn(
  transaction: Transaction<LedgerTables>,
  { run, sync }: AppliedPlan,
  isLeft: RawBuilder<unknown> = sql`1 = 0`,
): Promise<void> {
  const isTakenBack = sql`(${isStaged(run, sql`op = 'unchanged'`)} or (goal in ('delete', 'restore') and ${isLeft}))`;
  const { rows } = await move<{ key: string }>(withdrawn(run), {
    where: sql`sync = ${sync} and ${isUndelivered} and records.knows = 'known' and not ${hasOpenAttempt()} and ${isTakenBack}`,
    returning: sql`key`,
  }).execute(transaction);
  if (rows.length === 0) return;
  // In PostgreSQL, the statement above does not see what was opened while it waited for the row.
  const keys = rows.map(({ key }) => key);
  await move(doubted, { where: sql`sync = ${sync} and ${isOneOf('key', keys)} and ${hasOpenAttempt()}` }).execute(
    transaction,
  );
}

/**
 * Excludes from retries the undelivered records that the source now skips or no longer has, also those that an undo or a purge could not
 * take away: what is not known about their items is looked up if someone retries them.
 */
async function markNotRetried(
  transaction: Transaction<LedgerTables>,
  { sync }: AppliedPlan,
  isLeft: RawBuilder<unknown>,
): Promise<void> {
  await move(leftAlone, {
    where: sql`sync = ${sync} and ${isUndelivered} and ${isLeft}
      and goal in ('have', 'delete', 'restore') and ${isNotThrough}`,
  }).execute(transaction);
}
