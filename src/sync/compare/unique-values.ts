import type { Payload } from '../../core/record.ts';
import { identifying } from '../identity/sighting.ts';
import { matchKey } from '../items/values.ts';

/** The attributes that a CMS may take once only: those that identify an account. */
export const uniqueAttributes: readonly string[] = identifying.accounts;

/** Whether two accounts have the same value in an attribute. */
export function sharesValue(attribute: string, one: Payload, other: Payload): boolean {
  const value = matchKey([attribute], one);
  return value !== undefined && value === matchKey([attribute], other);
}
