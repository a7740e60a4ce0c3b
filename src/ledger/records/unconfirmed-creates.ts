import { sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';

// An unconfirmed create may have sent an older payload than the one desired now. `records.unconfirmed_payloads` is a JSON
// array of the payloads that such creates may have sent; null: the desired one. If an update is unconfirmed and the desired
// state has changed since, the array has the delivered payload and those of such updates: the item looks like one of them.

/** For a claim: appends the desired payload, because this claim may send it and never be settled. */
export const unconfirmedWhenClaimed = sql<string | null>`case when unconfirmed_payloads is not null
  then substr(unconfirmed_payloads, 1, length(unconfirmed_payloads) - 1) || ',' || desired || ']' end`;

/** For a released claim: keeps the payloads of earlier creates. Keeping the claim's own payload as well does no harm. */
export const unconfirmedWhenReleased = sql<
  string | null
>`case when create_unconfirmed_before_claim = 1 or cms_id is not null then unconfirmed_payloads end`;

/** For a record whose last update is unconfirmed: appends the payload that the update may have sent. */
export const unconfirmedUpdates = sql<string | null>`case
  when records.unconfirmed_payloads is null then '[' || coalesce(records.delivered || ',', '') || records.desired || ']'
  when replace(records.unconfirmed_payloads, records.desired, '') <> records.unconfirmed_payloads then records.unconfirmed_payloads
  else substr(records.unconfirmed_payloads, 1, length(records.unconfirmed_payloads) - 1) || ',' || records.desired || ']' end`;

/** The last update of a record is unconfirmed, or its item was found and has had no confirmed update. */
export const isUpdateUnconfirmed = sql<boolean>`(
  records.cms_id is not null and records.status <> 'delivered' and (records.refused_hash is null or records.delivered is null)
)`;

/** The plan is older than the ledger's knowledge of the item: a change that was unconfirmed then has been delivered since. */
const isOlderThanKnown = sql<boolean>`(records.cms_id is not null and excluded.delivered <> records.delivered)`;

/** For an upsert with a newer desired state (`excluded`). */
export const unconfirmedWhenApplied = sql<string | null>`case
  when records.create_unconfirmed = 1 and records.cms_id is null and records.unconfirmed_payloads is null and records.hash <> excluded.hash
  then '[' || records.desired || ']'
  when ${isUpdateUnconfirmed} or ${isOlderThanKnown} then ${unconfirmedUpdates} else records.unconfirmed_payloads end`;

/**
 * For a newer desired state: a change of the source does not bring forward the look-up of an unconfirmed create. Nor does it
 * shorten the wait, without an error, for requests of an exited process to arrive.
 */
export const retryAtWhenApplied = sql<number | null>`case
  when (records.create_unconfirmed = 1 and records.cms_id is null)
    or (records.status = 'pending' and records.error_code is null) then records.retry_at end`;

/** Payloads that creates before this claim may have sent; null: the desired one. */
export function unconfirmedBefore(claimed: string | null): Payload[] | null {
  return claimed === null ? null : (JSON.parse(claimed) as Payload[]).slice(0, -1);
}

/**
 * For a result that leaves a create or update unconfirmed; null: no change for a create, nothing to remember for an update. A
 * create is only sent if no earlier one has arrived. A deleted item may have been created again as it was.
 */
export function unconfirmedWhenSettled(
  {
    cmsId,
    desired,
    delivered,
    unconfirmedPayloads,
  }: Pick<ClaimedRecord, 'cmsId' | 'desired' | 'delivered' | 'unconfirmedPayloads'>,
  result: DeliveryResult,
): string | null {
  if (!('createUnconfirmed' in result && result.createUnconfirmed)) {
    return cmsId === null ? null : unconfirmedPayloads && JSON.stringify(unconfirmedPayloads);
  }
  if (result.is === 'deleted') {
    const sent = [...(unconfirmedPayloads ?? []), ...(delivered ? [delivered] : [])];
    return sent.length > 0 ? JSON.stringify(sent) : null;
  }
  if (result.sent?.method === 'POST') return JSON.stringify([desired]);
  return unconfirmedPayloads && JSON.stringify(unconfirmedPayloads);
}
