import type { Finding } from './finding.ts';

/** Two clocks further apart than this differ for people, too, in ms. */
const TOLERANCE_MS = 30_000;

/**
 * How another clock compares with this machine's.
 * @param whose "the CMS"
 * @param aheadMs how far it is ahead, in ms
 * @param follows what comes of a difference
 */
export function clockFinding(check: string, whose: string, aheadMs: number, follows: string): Finding {
  if (Math.abs(aheadMs) <= TOLERANCE_MS) {
    return { check, is: 'ok', message: `The clocks of ${whose} and of this machine agree, but for some seconds.` };
  }
  const apart = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs < 0 ? 'behind' : 'ahead of'}`;
  const message = `The clock of ${whose} is ${apart} that of this machine.`;
  return { check, is: 'warning', message, follows, remedy: 'Set both clocks by NTP.' };
}
