import type { CallOptions } from '../../cms/client.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

const RENEWALS = 3;
/** How long a confirmation holds: a request that did not wait for its turn need not be confirmed again. */
const CONFIRMED_FOR_MS = 100;

/** How long records are claimed for, in ms: longer than a run, because another claim may cost a search in the CMS. */
export function leaseMsOf({ ledger, target }: Pick<DeliveryContext, 'ledger' | 'target'>): number {
  return Math.max(2 * ledger.takeOverAfterMs, RENEWALS * target.lookupAfterMs);
}

/** Ms since a moment. */
type Stopwatch = () => number;

/**
 * Starts a stopwatch that never runs slow: a suspended machine stops the monotonic clock of its processes, and the wall clock may be
 * set back.
 */
export function startStopwatch({ monotonic, now }: Clock): Stopwatch {
  const [begun, begunAt] = [monotonic(), now()];
  return () => Math.max(monotonic() - begun, now() - begunAt);
}

/**
 * Renews the lease of claimed records until `end` is called.
 * @param records those that are not settled yet
 * @param sinceClaim started before they were claimed
 */
export function keepLease(
  records: ReadonlySet<ClaimedRecord>,
  sinceClaim: Stopwatch,
  context: Pick<DeliveryContext, 'ledger' | 'target' | 'log' | 'runtime'>,
) {
  const { ledger, target, log, runtime } = context;
  const leaseMs = leaseMsOf(context);
  const leases = new Map([...records].map((record) => [record, { since: sinceClaim, ms: leaseMs }]));
  const timer = runtime.every(leaseMs / RENEWALS, renew);
  return { fence, end: timer.cancel };

  /**
   * Lets a request be sent only while the ledger has this process as the holder of the record, and not near the end of the
   * lease: the request could still be under way when another process takes the record over and looks for it in the CMS.
   */
  function fence(record: ClaimedRecord): Pick<CallOptions, 'confirm' | 'maySend'> {
    const maySend = () => {
      const lease = leases.get(record);
      return lease !== undefined && lease.since() < lease.ms - target.lookupAfterMs;
    };
    const confirm = async () => {
      if ((leases.get(record)?.since() ?? CONFIRMED_FOR_MS) < CONFIRMED_FOR_MS) return maySend();
      const since = startStopwatch(runtime);
      leases.set(record, { since, ms: await ledger.records.confirm(record) });
      return maySend();
    };
    return { confirm, maySend };
  }

  async function renew(): Promise<void> {
    const asked = [...records];
    const since = startStopwatch(runtime);
    try {
      const renewed = await ledger.records.renew(asked, leaseMs);
      for (const record of asked) {
        if (renewed.has(record.key)) leases.set(record, { since, ms: leaseMs });
        else leases.delete(record);
      }
    } catch (error) {
      log.warn({ err: error }, 'A lease could not be renewed.');
    }
  }
}
