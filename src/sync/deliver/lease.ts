import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

const LEASE_MS = 60_000;
const RENEWALS = 3;

/** The right to act on claimed records, for as long as it is renewed. */
export interface Lease {
  /**
   * Whether a request may still be sent. Not in the end of the lease: what is sent then might still be on its way when
   * another process, to which the records fall, looks for it in the CMS.
   */
  maySend(): boolean;
  end(): void;
}

/** How long records are claimed for, in ms. */
export function leaseMsOf({ lookupAfterMs }: DeliveryContext['target']): number {
  return Math.max(LEASE_MS, RENEWALS * lookupAfterMs);
}

/**
 * Renews the lease of records until it is ended.
 * @param records those that are still to be settled
 * @param claimedAt `performance.now()` before they were claimed
 */
export function keepLease(
  records: ReadonlySet<ClaimedRecord>,
  claimedAt: number,
  { ledger, target, log }: DeliveryContext,
): Lease {
  const leaseMs = leaseMsOf(target);
  let until = claimedAt + leaseMs;
  const timer = setInterval(renew, leaseMs / RENEWALS);
  return {
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
