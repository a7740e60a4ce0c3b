import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isOurs } from '../database/conditions.ts';
import { groupCommit } from '../database/group-commit.ts';
import { distinct } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { closeAttempts } from './closing.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { endSettled } from './open-claims.ts';
import { type SettledRow, settledNumbers, toSettledRow } from './settled-row.ts';
import { move, reconsidered, settled } from './transitions.ts';

interface Settlement {
  record: ClaimedRecord;
  result: DeliveryResult;
}

/** The records of a claim that is to end. */
interface ClaimEnd {
  ended: readonly ClaimedRecord[];
}

/** The next record of a job does not wait for this, and the last ones are flushed. */
const GATHER_MS = 100;

/**
 * Writes the results of claimed records, and what became of their attempts. Returns false if the lease has lapsed and the record
 * is no longer ours. Records that are settled at about the same time share a transaction, which does not wait for the disk:
 * records that a power failure unsettles are still claimed, so they are looked up or sent again like any request without an answer.
 */
export function createSettle(database: LedgerDatabase) {
  const { now, forRows, unsynced, runtime } = database;
  const commit = groupCommit(write, runtime, { gatherMs: GATHER_MS });
  const settle = (record: ClaimedRecord, result: DeliveryResult): Promise<boolean> => commit({ record, result });
  /** Ends the claim on records that are settled by then. Returns false if some are not. */
  const endClaim = (ended: readonly ClaimedRecord[]): Promise<boolean> => commit({ ended });
  /** Writes without waiting for the results of more records. */
  const flushSettlements = (): void => commit.flush();
  return { settle, endClaim, flushSettlements };

  function write(group: Array<Settlement | ClaimEnd>): Promise<boolean[]> {
    return unsynced(async (transaction) => {
      const settlements = await refuseTaken(
        transaction,
        group.filter((each) => 'result' in each),
      );
      const rows = settlements.map(({ record, result }) => toSettledRow(record, result, runtime.now()));
      const ours = await settleRecords(transaction, rows, settlements);
      const isOurs = ({ record }: Settlement) => ours.has(record.claim + record.id);
      await closeAttempts(transaction, settlements.filter(isOurs), database);
      await forgetPasswords(transaction, settlements.filter(isOurs));
      await reconsider(
        transaction,
        rows.filter(({ claim_token, record, knows }) => !knows && ours.has(claim_token + record)),
      );
      const written: boolean[] = [];
      for (const each of group) written.push('result' in each ? isOurs(each) : await end(transaction, each));
      return written;
    });
  }

  function end(transaction: Transaction<LedgerTables>, { ended }: ClaimEnd): Promise<boolean> {
    const ids = ended.map(({ id }) => id);
    return endSettled(transaction, ended[0]?.claim ?? '', ids);
  }

  /** Returns claim and id of each record that was still ours. */
  async function settleRecords(
    transaction: Transaction<LedgerTables>,
    rows: readonly SettledRow[],
    settlements: readonly Settlement[],
  ): Promise<Set<string>> {
    const settling = (table: RawBuilder<unknown>) =>
      move<{ claim_token: string; id: number; lost: number | null }>(settled(now), {
        from: sql`${table} as settled`,
        where: sql`records.id = settled.record and ${isOurs(sql`settled.claim_token`, now)}`,
        returning: sql`records.ended_claim as claim_token, records.id,
          case when records.has <> records.wanted then records.has end as lost`,
      });
    const updated = await forRows(transaction, rows, settling, settledNumbers);
    // A plan that has replaced what was delivered has dropped its content.
    const replaced = new Set(updated.flatMap(({ lost }) => lost ?? []));
    const delivered = settlements.flatMap(({ record: { wanted: id, desired, attachments, hash } }) => {
      if (id === null || !replaced.has(id)) return [];
      return [{ id, payload: JSON.stringify(desired), attachments: JSON.stringify(attachments), hash }];
    });
    const restore = (table: RawBuilder<unknown>) => sql`
      insert into contents (id, payload, attachments, hash) select id, payload, attachments, hash from ${table} as new
      where true on conflict (id) do nothing`;
    await forRows(transaction, delivered, restore, ['id']);
    return new Set(updated.map(({ claim_token, id }) => claim_token + id));
  }

  /** Deletes the passwords of accounts that the CMS has by now. */
  async function forgetPasswords(transaction: Transaction<LedgerTables>, settlements: readonly Settlement[]) {
    const isDelivered = ({ is }: DeliveryResult) => is === 'created' || is === 'updated' || is === 'unchanged';
    const accounts = settlements.filter(({ record, result }) => record.resource === 'accounts' && isDelivered(result));
    if (accounts.length === 0) return;
    const ids = accounts.map(({ record }) => record.id);
    await change(transaction)`delete from passwords where ${isOneOf('record', ids)}`;
  }

  /** What is known of the item of an undelivered record depends on its attempts. */
  async function reconsider(transaction: Transaction<LedgerTables>, undelivered: readonly SettledRow[]): Promise<void> {
    if (undelivered.length === 0) return;
    const ids = undelivered.map(({ record }) => record);
    await move(reconsidered, { where: sql`${isOneOf('records.id', ids)}` }).execute(transaction);
  }
}

/** Refuses a create that the CMS answered with another record's item: the create may have left an item of its own. */
async function refuseTaken(transaction: Transaction<LedgerTables>, group: Settlement[]): Promise<Settlement[]> {
  const created = group.flatMap(({ record, result }) =>
    result.is === 'created' ? [{ record, cmsId: result.cmsId }] : [],
  );
  if (created.length === 0) return group;
  const resources = distinct(created.map(({ record }) => record.resource));
  const cmsIds = distinct(created.map(({ cmsId }) => cmsId));
  const owners = await all<Pick<ClaimedRecord, 'id' | 'resource' | 'key'> & { cmsId: number }>(transaction)`
    select id, resource, cms_id as "cmsId", key from records
    where ${isOneOf('resource', resources)} and ${isOneOf('cms_id', cmsIds)}
  `;
  return group.map((settlement) => {
    const { record, result } = settlement;
    if (result.is !== 'created') return settlement;
    const owner = owners.find(({ resource, cmsId }) => resource === record.resource && cmsId === result.cmsId);
    if (owner && owner.id !== record.id) {
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
  return { is: 'held', code: 'FF_CMS_FOREIGN', reason, doubt: 'sent', afterMs: unlistedMs, sent, uploads };
}
