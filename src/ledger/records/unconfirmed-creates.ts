import { sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';

// An unconfirmed create may have sent an older payload than the one desired now. `records.unconfirmed_payloads` is a JSON
// array of what such creates may have sent; null: what is desired. It is null unless a create is unconfirmed.

/** For a claim: appends what is desired now, because this claim may send it and never be settled. */
export const unconfirmedWhenClaimed = sql<string | null>`case when unconfirmed_payloads is not null
  then substr(unconfirmed_payloads, 1, length(unconfirmed_payloads) - 1) || ',' || desired || ']' end`;

/** For a released claim: keeps the payloads of earlier creates. That it also keeps its own does no harm. */
export const unconfirmedWhenReleased = sql<
  string | null
>`case when create_unconfirmed_before_claim = 1 then unconfirmed_payloads end`;

/** For an upsert with a newer desired state (`excluded`). */
export const unconfirmedWhenApplied = sql<string | null>`case
  when records.create_unconfirmed = 1 and records.cms_id is null and records.unconfirmed_payloads is null and records.hash <> excluded.hash
  then '[' || records.desired || ']' else records.unconfirmed_payloads end`;

/** For an upsert: a change of the source does not make the look-up of an unconfirmed create any earlier. */
export const retryAtWhenApplied = sql<number | null>`case
  when records.create_unconfirmed = 1 and records.cms_id is null then records.retry_at end`;

/** What creates before this claim may have sent; null: what is desired. */
export function unconfirmedBefore(claimed: string | null): Payload[] | null {
  return claimed === null ? null : (JSON.parse(claimed) as Payload[]).slice(0, -1);
}

/** For a result that leaves the create unconfirmed; null: no change. A create is only sent if no earlier one has arrived. */
export function unconfirmedWhenSettled(
  { desired, unconfirmedPayloads }: Pick<ClaimedRecord, 'desired' | 'unconfirmedPayloads'>,
  result: DeliveryResult,
): string | null {
  if (!('createUnconfirmed' in result && result.createUnconfirmed)) return null;
  if (result.sent?.method === 'POST') return JSON.stringify([desired]);
  return unconfirmedPayloads && JSON.stringify(unconfirmedPayloads);
}
