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
 * Renews the lease of a claim until `end` is called. Its `fence` lets a request be sent only while the ledger has this process as the
 * holder of the claim, and not near the end of the lease: the request could still be under way when another process takes the
 * records over and looks for it in the CMS.
 * @param sinceClaim started before the records were claimed
 */
export function keepLease(
  claim: Pick<ClaimedRecord, 'claim'>,
  sinceClaim: Stopwatch,
  context: Pick<DeliveryContext, 'ledger' | 'target' | 'log' | 'runtime'>,
) {
  const { ledger, target, log, runtime } = context;
  const leaseMs = leaseMsOf(context);
  let lease = { since: sinceClaim, ms: leaseMs };
  let look: Promise<void> | undefined;
  const timer = runtime.every(leaseMs / RENEWALS, renew);
  const fence: Pick<CallOptions, 'confirm' | 'maySend'> = { confirm, maySend };
  return { fence, end: timer.cancel };

  function maySend(): boolean {
    return lease.since() < lease.ms - target.lookupAfterMs;
  }

  /** The requests of a batch share a look at the ledger. */
  async function confirm(): Promise<boolean> {
    if (lease.since() >= CONFIRMED_FOR_MS) {
      look ??= lookAtClaim().finally(() => {
        look = undefined;
      });
      await look;
    }
    return maySend();
  }

  async function lookAtClaim(): Promise<void> {
    const since = startStopwatch(runtime);
    lease = { since, ms: await ledger.records.confirm(claim) };
  }

  async function renew(): Promise<void> {
    const since = startStopwatch(runtime);
    try {
      lease = { since, ms: (await ledger.records.renew(claim, leaseMs)) ? leaseMs : 0 };
    } catch (error) {
      log.warn({ err: error }, 'A lease could not be renewed.');
    }
  }
}
