import { type Finding, ok } from './finding.ts';

/** A larger difference between two clocks is visible to people, in ms. */
const TOLERANCE_MS = 30_000;

/**
 * Compares another clock with this machine's.
 * @param whose "the CMS"
 * @param aheadMs how far it is ahead, in ms
 * @param follows the consequence of a difference
 */
export function clockFinding(check: string, whose: string, aheadMs: number, follows: string): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return ok(check, `The clocks of ${whose} and of this machine agree.`);
  const message = `The clock of ${whose} is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the clock of this machine.`;
  return { check, is: 'warning', message, follows, remedy: 'Synchronise both clocks with NTP.' };
}
