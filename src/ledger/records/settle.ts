import { type RawBuilder, sql, type Transaction } from 'kysely';
import { groupCommit } from '../database/group-commit.ts';
import { distinct } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { addToHistory } from '../history/deliveries.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { settledNumbers, toHistory, toSettledRow } from './settled-row.ts';

interface Settlement {
  record: ClaimedRecord;
  result: DeliveryResult;
}

/** The next record of a job does not wait for this. */
const GATHER_MS = 35;

/**
 * Writes the results of claimed records, also to their histories. Returns false if the lease has lapsed and the record is no
 * longer ours. Records that are settled at about the same time share a transaction, which does not wait for the disk: records
 * that a power failure unsettles are still claimed, and looked up or sent again like any request without an answer.
 */
export function createSettle({ now, forRows, unsynced, runtime }: LedgerDatabase) {
  const commit = groupCommit(write, runtime, { gatherMs: GATHER_MS });
  return (record: ClaimedRecord, result: DeliveryResult): Promise<boolean> => commit({ record, result });

  function write(group: Settlement[]): Promise<boolean[]> {
    return unsynced(async (transaction) => {
      const settlements = await refuseTaken(transaction, group);
      const rows = settlements.map(({ record, result }) => toSettledRow(record, result));
      const ours = await updateRecords(transaction, rows);
      const isOurs = ({ record }: Settlement) => ours.has(record.claim + record.key);
      const entries = settlements.filter(isOurs).flatMap(({ record, result }) => toHistory(record, result));
      await addToHistory(transaction, entries, { now, forRows });
      return group.map(isOurs);
    });
  }

  /** Returns claim and key of each record that was still ours. */
  async function updateRecords(
    transaction: Transaction<LedgerTables>,
    rows: Array<ReturnType<typeof toSettledRow>>,
  ): Promise<Set<string>> {
    const update = (table: RawBuilder<unknown>) => sql<{ claim_token: string; key: string }>`
      update records set
        claim_holder = null, claim_until = null, quiet_since = ${now},
        status = case when ${isNewest} or ${staysDeleted} then settled.status else 'pending' end,
        outcome = case when ${isNewest} or ${staysDeleted} then settled.outcome else records.outcome end,
        upload_count = records.upload_count + settled.upload_count,
        attempts = records.attempts + settled.attempts,
        create_unconfirmed = settled.create_unconfirmed,
        unconfirmed_payloads =
          case when settled.create_unconfirmed = 1 then coalesce(settled.unconfirmed_payloads, records.unconfirmed_payloads)
            -- If an update of a found item is refused, it is still unknown what the create had sent.
            when ${isOver} and not (settled.item = 'unchanged' and records.delivered is null) then null
            when records.cms_id is null then settled.unconfirmed_payloads
            -- A plan made meanwhile has recorded the delivered payload and the one that this claim may have sent.
            when ${isNewest} then coalesce(settled.unconfirmed_payloads, records.unconfirmed_payloads)
            else records.unconfirmed_payloads end,
        retry_at = ${now} + settled.retry_after,
        error_code = settled.error_code,
        error_reason = settled.error_reason,
        refused_hash = settled.refused_hash,
        refused_by = settled.refused_by,
        delete_unconfirmed = case when ${isOver} then 0 else records.delete_unconfirmed end,
        before_image = case when ${isOver} then null else records.before_image end,
        attributes_before_mark = case when settled.item = 'deleted' or settled.unmarked = 1
          or (settled.item = 'delivered' and settled.action is distinct from 'mark') then null else records.attributes_before_mark end,
        is_adopted = case settled.item when 'deleted' then 0 else records.is_adopted end,
        cms_id = case settled.item when 'unchanged' then records.cms_id else settled.cms_id end,
        delivered = case settled.item when 'unchanged' then records.delivered else settled.delivered end,
        delivered_attachments =
          case settled.item when 'unchanged' then records.delivered_attachments else settled.delivered_attachments end,
        delivered_hash = case settled.item when 'unchanged' then records.delivered_hash else settled.delivered_hash end,
        delivered_at = case settled.item when 'delivered' then ${now} else records.delivered_at end,
        made_by_cms = case settled.item when 'unchanged' then records.made_by_cms else settled.made_by_cms end,
        editor_state = case settled.item when 'unchanged' then records.editor_state else settled.editor_state end,
        password = case settled.item when 'delivered' then null else records.password end
      from ${table} as settled
      where records.sync = settled.sync and records.key = settled.key
        and records.claim_token = settled.claim_token and records.claim_until >= ${now}
      returning records.claim_token, records.key
    `;
    const updated = await forRows(transaction, rows, settledNumbers, update);
    return new Set(updated.map(({ claim_token, key }) => claim_token + key));
  }
}

/** Refuses a create that the CMS answered with another record's item: the create may have left an item of its own. */
async function refuseTaken(transaction: Transaction<LedgerTables>, group: Settlement[]): Promise<Settlement[]> {
  const created = group.flatMap(({ record, result }) =>
    result.is === 'created' ? [{ record, cmsId: result.cmsId }] : [],
  );
  if (created.length === 0) return group;
  const owners = await transaction
    .selectFrom('records')
    .select(['resource', 'cms_id as cmsId', 'sync', 'key'])
    .where('resource', 'in', distinct(created.map(({ record }) => record.resource)))
    .where('cms_id', 'in', distinct(created.map(({ cmsId }) => cmsId)))
    .execute();
  return group.map((settlement) => {
    const { record, result } = settlement;
    if (result.is !== 'created') return settlement;
    const owner = owners.find(({ resource, cmsId }) => resource === record.resource && cmsId === result.cmsId);
    if (owner && !(owner.sync === record.sync && owner.key === record.key)) {
      return { record, result: takenBy(owner.key, record, result) };
    }
    owners.push({ ...record, cmsId: result.cmsId });
    return settlement;
  });
}

function takenBy(
  owner: string,
  { key }: ClaimedRecord,
  { cmsId, sent, uploads, unlistedMs }: Extract<DeliveryResult, { cmsId: number }>,
): DeliveryResult {
  const reason = `The CMS returned item ${cmsId} for "${key}", which is the item of "${owner}".`;
  return { is: 'held', code: 'FF_CMS_FOREIGN', reason, createUnconfirmed: true, afterMs: unlistedMs, sent, uploads };
}

/** No run has changed the desired state since the claim. */
const isNewest = sql<boolean>`records.hash = settled.hash and records.action is not distinct from settled.action`;

/** Editors have deleted the item; it is not created again because of changes in the source meanwhile. */
const staysDeleted = sql<boolean>`(settled.status = 'deleted' and records.action is null)`;

/** The result of the last request is known: it was applied, or refused. */
const isOver = sql<boolean>`(settled.item <> 'unchanged' or settled.refused_hash is not null)`;
