import type { TargetConfig } from '../../config/types.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

const LEASE_MS = 60_000;
const RENEWALS = 3;

/** How long records are claimed for, in ms. */
export function leaseMsOf({ lookupAfterMs }: Pick<TargetConfig, 'lookupAfterMs'>): number {
  return Math.max(LEASE_MS, RENEWALS * lookupAfterMs);
}

/**
 * Renews the lease of claimed records until `end` is called.
 * @param records those that are not settled yet
 * @param claimedAt `performance.now()` before they were claimed
 */
export function keepLease(
  records: ReadonlySet<ClaimedRecord>,
  claimedAt: number,
  { ledger, target, log }: Pick<DeliveryContext, 'ledger' | 'target' | 'log'>,
) {
  const leaseMs = leaseMsOf(target);
  let until = claimedAt + leaseMs;
  const timer = setInterval(renew, leaseMs / RENEWALS);
  return {
    /**
     * Whether a request may still be sent: not near the end of the lease. It could still be under way when another process
     * takes the records over and looks for it in the CMS.
     */
    maySend: () => performance.now() < until - target.lookupAfterMs,
    end: () => clearInterval(timer),
  };

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      await ledger.records.renew([...records], leaseMs);
      until = askedAt + leaseMs;
    } catch (error) {
      log.warn({ err: error }, 'A lease could not be renewed.');
    }
  }
}
