import type { Payload } from '../../core/record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { identifying } from '../identity/sighting.ts';
import { matchKey } from '../items/values.ts';

/** The attributes that a CMS may take once only: those that identify an account. */
export const uniqueAttributes: readonly string[] = identifying.accounts;

/** Whether two accounts have the same value in an attribute. */
export function sharesValue(attribute: string, one: Payload, other: Payload): boolean {
  const value = matchKey([attribute], one);
  return value !== undefined && value === matchKey([attribute], other);
}

/** Whether a record that is the cause of another one's refusal has not changed, and is not about to. */
export function stillBlocks(blocker: KnownRecord | undefined, payload: Payload): boolean {
  if (!blocker?.payload || blocker.isUnconfirmed || blocker.isMissing || blocker.refusal) return false;
  const delivered = blocker.payload;
  return uniqueAttributes.some((attribute) => sharesValue(attribute, delivered, payload));
}
