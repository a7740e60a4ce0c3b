import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { DayRange } from '../../core/dates/iso-date.ts';
import { CodedError } from '../../core/errors.ts';
import { supersedeWork } from '../backfills/backfill-work.ts';
import { isAsDesired, isUndelivered } from '../database/conditions.ts';
import { pagesByKey } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import {
  isUpdateUnconfirmed,
  retryAtWhenApplied,
  unconfirmedUpdates,
  unconfirmedWhenApplied,
} from '../records/unconfirmed-creates.ts';
import { forgetMissing, isMissing, isStaged, noteMissing } from './missing-records.ts';

/** Conditions of applying a plan, besides the plan itself. */
export interface ApplyRules {
  /** Keeps passwords even if the CMS has the account, because it may have to be created again. */
  keepPasswords?: boolean;
  /** The plan names all records that the source has on these days: other records are missing, and not retried. */
  provesAbsence?: DayRange;
}

const isChange = sql<boolean>`op in ('create', 'update', 'held', 'failed')`;

interface AppliedPlan extends ApplyRules {
  now: LedgerDatabase['now'];
  run: string;
  sync: string;
}

/** Makes a staged plan the desired state, in one transaction, and returns the keys to deliver. */
export function makeDesired(db: Kysely<LedgerTables>, plan: AppliedPlan): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    await refuseEnded(transaction, plan);
    const work = await workOf(transaction, plan);
    if (plan.provesAbsence && work.absent) await noteMissing(transaction, { ...plan, covered: plan.provesAbsence });
    if (work.missing) await forgetMissing(transaction, plan);
    if (work.moves) await moveToNewKeys(transaction, plan);
    const desired = work.changes ? await desire(transaction, plan) : [];
    const acted = work.actions ? await act(transaction, plan) : [];
    if (work.sources) await noteSources(transaction, plan);
    if (work.undelivered && work.unchanged) await settleWithdrawn(transaction, plan);
    if (work.undelivered && (work.skipped || plan.provesAbsence)) await markNotRetried(transaction, plan);
    if (work.backfill) await supersedeWork(transaction, plan);
    return [...desired, ...acted];
  });
}

/** Refuses the plan of a run that another process has ended while this one was suspended: the plan may be partly deleted. */
async function refuseEnded(transaction: Transaction<LedgerTables>, { run }: AppliedPlan): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('runs')
    .set(({ ref }) => ({ lease_until: ref('lease_until') }))
    .where('id', '=', run)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new CodedError('FF_RUN_ABANDONED', `The run ${run} was ended by another process, while this one was silent.`);
}

/** Which steps have work to do. Most plans change little, so most statements would change nothing. */
async function workOf(transaction: Transaction<LedgerTables>, { run, sync, provesAbsence }: AppliedPlan) {
  const isAbsent = provesAbsence ? isMissing(run, provesAbsence) : sql`1 = 0`;
  const ofSync = (condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from records where sync = ${sync} and ${condition})`;
  const { rows } = await sql<Record<string, number | boolean>>`
    select
      count(case when ${isChange} then 1 end) as changes,
      count(case when op in ('delete', 'mark', 'restore') then 1 end) as actions,
      count(case when op = 'unchanged' then 1 end) as unchanged,
      count(case when op = 'unchanged' then source_hash end) as sources,
      count(case when op = 'skipped' then 1 end) as skipped,
      count(previous_key) as moves,
      ${ofSync(isAbsent)} as absent,
      ${ofSync(sql`missing_since is not null`)} as missing,
      ${ofSync(isUndelivered)} as undelivered,
      exists (select 1 from backfills where sync = ${sync}) as backfill
    from staged_changes where run = ${run}
  `.execute(transaction);
  return rows[0] ?? {};
}

async function moveToNewKeys(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  const occurrence = sql`, series = coalesce(staged_changes.series, records.series), slot = coalesce(staged_changes.slot, records.slot)`;
  for (const [table, more] of [
    ['records', occurrence],
    ['history', sql``],
  ] as const) {
    const moved = sql.table(table);
    await sql`
      update ${moved} set key = staged_changes.key ${more}
      from staged_changes where staged_changes.run = ${run} and ${moved}.sync = ${sync}
        and ${moved}.key = staged_changes.previous_key and staged_changes.previous_key is not null
    `.execute(transaction);
  }
}

/**
 * Makes changes pending, or settles those that the plan itself holds back. Returns the pending keys. Goes through the plan in
 * pages, because SQLite keeps in memory what it needs to undo a statement.
 */
async function desire(transaction: Transaction<LedgerTables>, plan: AppliedPlan): Promise<string[]> {
  const pending: string[] = [];
  const changes = transaction
    .selectFrom('staged_changes')
    .select(['key', 'op'])
    .where('run', '=', plan.run)
    .where(isChange)
    .orderBy('key');
  const read = (after: string, limit: number) => changes.where('key', '>', after).limit(limit).execute();
  for await (const page of pagesByKey(read)) {
    await desirePage(transaction, plan, page[0]?.key ?? '', page.at(-1)?.key ?? '');
    for (const { key, op } of page) if (op === 'create' || op === 'update') pending.push(key);
  }
  return pending;
}

async function desirePage(
  transaction: Transaction<LedgerTables>,
  plan: AppliedPlan,
  first: string,
  last: string,
): Promise<void> {
  const { run, sync } = plan;
  const keepPasswords = sql`${plan.keepPasswords ? 1 : 0} = 1`;
  // Editors have deleted the item since the plan was made, and the delivery that noticed this has left it deleted.
  const isDeletedMeanwhile = sql`(
    records.status = 'deleted' and records.cms_id is null and excluded.cms_id is null and ${isStaged(run, sql`op = 'update'`)}
  )`;
  await sql`
    insert into records (
      sync, key, resource, place, status, outcome, run, desired, attachments, hash, starts_on, ends_on, series, slot, source_hash,
      cms_id, delivered, delivered_attachments, editor_state, password, expected_item_hash, error_code, error_reason, is_adopted
    )
    select ${sync}, key, resource, place,
      case when op in ('held', 'failed') then op else 'pending' end, case when op in ('held', 'failed') then op end,
      run, desired, attachments, hash, starts_on, ends_on, series, slot, source_hash,
      cms_id, delivered, delivered_attachments, editor_state, case when cms_id is null or ${keepPasswords} then password end,
      expected_item_hash, error_code, error_reason, case when cms_id is null then 0 else 1 end
    from staged_changes where run = ${run} and key between ${first} and ${last} and ${isChange}
    on conflict (sync, key) do update set
      place = excluded.place, action = null, expected_item_hash = excluded.expected_item_hash,
      status = case when ${isDeletedMeanwhile} then 'deleted' else excluded.status end,
      outcome = case when ${isDeletedMeanwhile} then 'skipped' else excluded.outcome end, run = excluded.run,
      desired = excluded.desired, attachments = excluded.attachments, hash = excluded.hash,
      starts_on = excluded.starts_on, ends_on = excluded.ends_on,
      series = coalesce(excluded.series, records.series), slot = coalesce(excluded.slot, records.slot), source_hash = excluded.source_hash,
      cms_id = coalesce(records.cms_id, excluded.cms_id),
      delivered = case when ${isDeletedMeanwhile} then records.delivered else coalesce(excluded.delivered, records.delivered) end,
      delivered_attachments = coalesce(excluded.delivered_attachments, records.delivered_attachments),
      editor_state = coalesce(records.editor_state, excluded.editor_state),
      password = case when ${isDeletedMeanwhile} then null
        when records.cms_id is null or records.delete_unconfirmed = 1 or ${keepPasswords} then excluded.password end,
      unconfirmed_payloads = ${unconfirmedWhenApplied}, upload_count = 0, attempts = 0, retry_at = ${retryAtWhenApplied}, not_retried = 0,
      refused_hash = case when excluded.status = 'failed' then records.refused_hash end,
      refused_by = case when excluded.status = 'failed' then records.refused_by end,
      is_adopted = case when records.cms_id is null then excluded.is_adopted else records.is_adopted end,
      error_code = case when ${isDeletedMeanwhile} then records.error_code else excluded.error_code end,
      error_reason = case when ${isDeletedMeanwhile} then records.error_reason else excluded.error_reason end
  `.execute(transaction);
}

/** Makes pending what deletes, marks or restores items. Returns the keys. */
async function act(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    update records set action = staged_changes.op, expected_item_hash = staged_changes.expected_item_hash, status = 'pending', outcome = null, run = staged_changes.run,
      desired = coalesce(staged_changes.desired, records.desired), hash = coalesce(staged_changes.hash, records.hash), source_hash = null,
      unconfirmed_payloads = case when create_unconfirmed = 1 and records.cms_id is null and staged_changes.desired is not null
        then coalesce(unconfirmed_payloads, '[' || records.desired || ']')
        when ${isUpdateUnconfirmed} and staged_changes.desired is not null then ${unconfirmedUpdates} else unconfirmed_payloads end,
      upload_count = 0, attempts = 0, retry_at = ${retryAtWhenApplied}, not_retried = 0, refused_hash = null, refused_by = null, error_code = null, error_reason = null
    from staged_changes
    where staged_changes.run = ${run} and staged_changes.op in ('delete', 'mark', 'restore')
      and records.sync = ${sync} and records.key = staged_changes.key
    returning records.key
  `.execute(transaction);
  return rows.map(({ key }) => key);
}

/** Records that source records are unchanged in the CMS, so that the next runs need not map them again. */
async function noteSources(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update records set source_hash = staged_changes.source_hash, series = staged_changes.series, slot = staged_changes.slot
    from staged_changes
    where staged_changes.run = ${run} and staged_changes.op = 'unchanged' and staged_changes.source_hash is not null
      and records.sync = ${sync} and records.key = staged_changes.key
      and records.hash = staged_changes.hash and ${isAsDesired}
      and records.starts_on is not distinct from staged_changes.starts_on
      and records.ends_on is not distinct from staged_changes.ends_on
  `.execute(transaction);
}

/** Settles undelivered changes that the source has taken back: the CMS has the desired state. */
async function settleWithdrawn(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update records set status = 'delivered', action = null, before_image = null, unconfirmed_payloads = null,
      hash = coalesce(delivered_hash, hash), source_hash = null, error_code = null, error_reason = null
    where sync = ${sync} and ${isUndelivered} and ${isStaged(run, sql`op = 'unchanged'`)}
  `.execute(transaction);
}

/** Excludes from retries the undelivered records that the source now skips or no longer has. */
async function markNotRetried(transaction: Transaction<LedgerTables>, plan: AppliedPlan): Promise<void> {
  const { run, sync, provesAbsence } = plan;
  const isAbsent = provesAbsence ? sql`not ${isStaged(run)}` : sql`1 = 0`;
  await sql`
    update records set not_retried = 1
    where sync = ${sync} and ${isUndelivered} and status in ('pending', 'failed', 'held')
      and (${isStaged(run, sql`op = 'skipped'`)} or ${isAbsent})
  `.execute(transaction);
}
