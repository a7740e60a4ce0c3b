import { sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import type { Sent } from '../history/deliveries.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import type { Settlement } from './settlement.ts';

// A create in doubt may have carried something else than what is desired by now. `records.doubted` is a JSON array of what
// such creates may have carried; null: what is desired. Only of records in doubt it is ever anything else.

/** Of a claim. The last entry is what is desired now: this claim may send it, and may never be settled. */
export const doubtedWhenClaimed = sql<string | null>`case when doubted is not null
  then substr(doubted, 1, length(doubted) - 1) || ',' || desired || ']' end`;

/** Of a claim that is given back: what was in doubt before stays so; that its own content stays too does no harm. */
export const doubtedWhenReleased = sql<string | null>`case when maybe_sent_before = 1 then doubted end`;

/** Of an upsert that brings a newer desired state (`excluded`). */
export const doubtedWhenApplied = sql<string | null>`case
  when records.maybe_sent = 1 and records.cms_id is null and records.doubted is null and records.hash <> excluded.hash
  then '[' || records.desired || ']' else records.doubted end`;

/** Of an upsert: a create in doubt is not looked for any sooner because the source has changed. */
export const retryAtWhenApplied = sql<number | null>`case
  when records.maybe_sent = 1 and records.cms_id is null then records.retry_at end`;

/** What creates before this claim may have carried; null: what is desired. */
export function doubtedBefore(claimed: string | null): Payload[] | null {
  return claimed === null ? null : (JSON.parse(claimed) as Payload[]).slice(0, -1);
}

/** Of a settlement that leaves the record in doubt; null: as it is. Who sends a create knows that no earlier one arrived. */
export function doubtedWhenSettled(
  { desired, unconfirmedPayloads }: Pick<ClaimedRecord, 'desired' | 'unconfirmedPayloads'>,
  settlement: Settlement,
  sent?: Sent,
): string | null {
  if (!('createUnconfirmed' in settlement && settlement.createUnconfirmed)) return null;
  if (sent?.method === 'POST') return JSON.stringify([desired]);
  return unconfirmedPayloads && JSON.stringify(unconfirmedPayloads);
}
