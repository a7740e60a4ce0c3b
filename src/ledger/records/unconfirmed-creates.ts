import { sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';

// A create in doubt may have carried something else than what is desired by now. `records.unconfirmed_payloads` is a JSON array of what
// such creates may have carried; null: what is desired. Only of records in doubt it is ever anything else.

/** Of a claim. The last entry is what is desired now: this claim may send it, and may never be settled. */
export const unconfirmedWhenClaimed = sql<string | null>`case when unconfirmed_payloads is not null
  then substr(unconfirmed_payloads, 1, length(unconfirmed_payloads) - 1) || ',' || desired || ']' end`;

/** Of a claim that is given back: what was in doubt before stays so; that its own content stays too does no harm. */
export const unconfirmedWhenReleased = sql<
  string | null
>`case when create_unconfirmed_before_claim = 1 then unconfirmed_payloads end`;

/** Of an upsert that brings a newer desired state (`excluded`). */
export const unconfirmedWhenApplied = sql<string | null>`case
  when records.create_unconfirmed = 1 and records.cms_id is null and records.unconfirmed_payloads is null and records.hash <> excluded.hash
  then '[' || records.desired || ']' else records.unconfirmed_payloads end`;

/** Of an upsert: a create in doubt is not looked for any sooner because the source has changed. */
export const retryAtWhenApplied = sql<number | null>`case
  when records.create_unconfirmed = 1 and records.cms_id is null then records.retry_at end`;

/** What creates before this claim may have carried; null: what is desired. */
export function unconfirmedBefore(claimed: string | null): Payload[] | null {
  return claimed === null ? null : (JSON.parse(claimed) as Payload[]).slice(0, -1);
}

/** Of a result that leaves the create unconfirmed; null: as it is. A create that is sent proves that no earlier one arrived. */
export function unconfirmedWhenSettled(
  { desired, unconfirmedPayloads }: Pick<ClaimedRecord, 'desired' | 'unconfirmedPayloads'>,
  result: DeliveryResult,
): string | null {
  if (!('createUnconfirmed' in result && result.createUnconfirmed)) return null;
  if (result.sent?.method === 'POST') return JSON.stringify([desired]);
  return unconfirmedPayloads && JSON.stringify(unconfirmedPayloads);
}
