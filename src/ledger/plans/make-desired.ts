import { type Kysely, sql, type Transaction } from 'kysely';
import { supersedeWork } from '../backfills/backfill-work.ts';
import { isUndelivered } from '../database/partial-indexes.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { moveHistory } from '../history/deliveries.ts';
import { retryAtWhenApplied, unconfirmedWhenApplied } from '../records/unconfirmed-creates.ts';
import { type Answered, forgetMissing, noteMissing } from './missing-records.ts';

/** What applying a plan depends on besides the plan itself. */
export interface ApplyRules {
  /** Keeps the passwords of accounts that the CMS has, too: they may have to be created anew. */
  keepPasswords?: boolean;
  /**
   * The plan names all that the source has: what it does not name is not wanted any more, and of the records that the
   * reading answers for it is remembered since when.
   */
  provesAbsence?: Answered;
}

interface AppliedPlan extends ApplyRules {
  now: LedgerDatabase['now'];
  run: string;
  sync: string;
}

/** Makes a staged plan the desired state, in one transaction, and answers the keys to deliver. */
export function makeDesired(db: Kysely<LedgerTables>, plan: AppliedPlan): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    await notePresence(transaction, plan);
    await moveToNewKeys(transaction, plan);
    await desire(transaction, plan);
    await act(transaction, plan);
    await settleWithdrawn(transaction, plan);
    await markUnwanted(transaction, plan);
    await supersedeWork(transaction, plan);
    const rows = await transaction
      .selectFrom('records')
      .select('key')
      .where('run', '=', plan.run)
      .where('status', '=', 'pending')
      .execute();
    return rows.map((row) => row.key);
  });
}

async function notePresence(transaction: Transaction<LedgerTables>, plan: AppliedPlan): Promise<void> {
  const { provesAbsence: answered } = plan;
  if (answered) await noteMissing(transaction, { ...plan, answered });
  else await forgetMissing(transaction, plan);
}

async function moveToNewKeys(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update records set key = staged_changes.key
    from staged_changes where staged_changes.run = ${run} and records.sync = ${sync} and records.key = staged_changes.previous_key
      and staged_changes.previous_key is not null
  `.execute(transaction);
  await moveHistory(transaction, run, sync);
}

/** Changes become pending; what the plan itself keeps back is settled already. */
async function desire(transaction: Transaction<LedgerTables>, plan: AppliedPlan): Promise<void> {
  const { run, sync } = plan;
  const keepPasswords = sql`${plan.keepPasswords ? 1 : 0} = 1`;
  await sql`
    insert into records (
      sync, key, resource, place, status, outcome, run, desired, attachments, hash, starts_on, ends_on,
      cms_id, delivered, delivered_attachments, editor_state, password, error_code, error_reason, is_adopted
    )
    select ${sync}, key, resource, place,
      case when op in ('held', 'failed') then op else 'pending' end, case when op in ('held', 'failed') then op end,
      run, desired, attachments, hash, starts_on, ends_on,
      cms_id, delivered, delivered_attachments, editor_state, case when cms_id is null or ${keepPasswords} then password end,
      error_code, error_reason, case when cms_id is null then 0 else 1 end
    from staged_changes where run = ${run} and op in ('create', 'update', 'held', 'failed')
    on conflict (sync, key) do update set
      place = excluded.place, action = null, expected_item_hash = null, status = excluded.status, outcome = excluded.outcome, run = excluded.run,
      desired = excluded.desired, attachments = excluded.attachments, hash = excluded.hash,
      starts_on = excluded.starts_on, ends_on = excluded.ends_on,
      cms_id = coalesce(records.cms_id, excluded.cms_id),
      delivered = coalesce(excluded.delivered, records.delivered),
      delivered_attachments = coalesce(excluded.delivered_attachments, records.delivered_attachments),
      editor_state = coalesce(records.editor_state, excluded.editor_state),
      password = case when records.cms_id is null or records.delete_unconfirmed = 1 or ${keepPasswords}
        then excluded.password end,
      unconfirmed_payloads = ${unconfirmedWhenApplied}, upload_count = 0, attempts = 0, retry_at = ${retryAtWhenApplied}, not_retried = 0,
      refused_hash = case when excluded.status = 'failed' then records.refused_hash end,
      is_adopted = case when records.cms_id is null then excluded.is_adopted else records.is_adopted end,
      error_code = excluded.error_code, error_reason = excluded.error_reason
  `.execute(transaction);
}

/** What is done about items that the source does not have, or not so. */
async function act(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update records set action = staged_changes.op, expected_item_hash = staged_changes.expected_item_hash, status = 'pending', outcome = null, run = staged_changes.run,
      desired = coalesce(staged_changes.desired, records.desired), hash = coalesce(staged_changes.hash, records.hash),
      unconfirmed_payloads = case when create_unconfirmed = 1 and records.cms_id is null and staged_changes.desired is not null
        then coalesce(unconfirmed_payloads, '[' || records.desired || ']') else unconfirmed_payloads end,
      upload_count = 0, attempts = 0, retry_at = case when create_unconfirmed = 1 and records.cms_id is null then retry_at end,
      not_retried = 0, refused_hash = null, error_code = null, error_reason = null
    from staged_changes
    where staged_changes.run = ${run} and staged_changes.op in ('delete', 'mark', 'restore')
      and records.sync = ${sync} and records.key = staged_changes.key
  `.execute(transaction);
}

/** A change that never got through and that the source has taken back: the CMS has what is wanted. */
async function settleWithdrawn(transaction: Transaction<LedgerTables>, { run, sync }: AppliedPlan): Promise<void> {
  await sql`
    update records set status = 'delivered', action = null, before_image = null, hash = coalesce(delivered_hash, hash), error_code = null, error_reason = null
    where sync = ${sync} and ${isUndelivered}
      and exists (select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key and op = 'unchanged')
  `.execute(transaction);
}

/** What never got through, and what the source now skips or has no more, must not be tried again by itself. */
async function markUnwanted(transaction: Transaction<LedgerTables>, plan: AppliedPlan): Promise<void> {
  const { run, sync, provesAbsence } = plan;
  const staged = sql`select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key`;
  const absent = sql`or not exists (${staged})`;
  await sql`
    update records set not_retried = 1
    where sync = ${sync} and ${isUndelivered} and status in ('pending', 'failed', 'held')
      and (exists (${staged} and op = 'skipped') ${provesAbsence ? absent : sql``})
  `.execute(transaction);
}
