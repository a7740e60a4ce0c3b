import { CmsError } from '../../cms/errors.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import { TargetPausedError, TargetStoppedError } from '../../core/gate.ts';
import { retryDelay } from '../../core/retry.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import { refusalHash } from '../compare/changes.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { type Blocker, blockerOf } from './blocked-by.ts';

/** What a delivery has done so far. */
type Done = Pick<DeliveryResult, 'sent' | 'uploads'>;

type AttemptContext = Pick<DeliveryContext, 'target' | 'configHash' | 'call' | 'log' | 'runtime' | 'ledger'>;

/**
 * Does the rest of a delivery. The result includes what was done before, even if the rest fails. Only here does an error
 * become a result.
 */
export async function attempt(
  done: Done,
  record: ClaimedRecord,
  context: AttemptContext,
  rest: () => Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  const result = await rest().catch(async (error: unknown) => {
    // Without the ledger, the refusal stands as the CMS has written it.
    const blocker = await blockerOf(error, record, context).catch(() => undefined);
    return failure(error, done, record, { ...context, blocker });
  });
  return { ...done, ...result };
}

/** Translates an error into a result, by its class alone. */
function failure(
  error: unknown,
  done: Done,
  record: ClaimedRecord,
  context: AttemptContext & { blocker: Blocker | undefined },
): DeliveryResult {
  const { target, configHash, call, log, runtime, blocker } = context;
  const { code, message } = toCodedError(error);
  const reason = blocker ? `${message}. ${blocker.reason}` : message;
  const hasPosted = done.sent?.method === 'POST';
  const createUnconfirmed = hasPosted ? wasSent(error) : record.createUnconfirmed;
  const undelivered = { code, reason, createUnconfirmed };

  if (error instanceof TargetStoppedError) return { ...undelivered, is: 'stopped' };
  if (error instanceof TargetPausedError) return postponed(error.afterMs);
  if (error instanceof CmsError) return cmsFailure(error);
  if (code === 'FF_LEDGER_UNAVAILABLE') return postponed(target.backoffMs);
  if (code === 'FF_CMS_UNPROVEN') return retry();
  if (error instanceof CodedError) {
    // The edit was found before anything was sent, so a later run has no unconfirmed change to repeat.
    const isLeft = code === 'FF_UNDO_EDITED' && record.beforeImage === null;
    // The CMS returned another item: its lists may not show yet the item that the create has left.
    const afterMs = hasPosted ? target.lookupAfterMs : undefined;
    return {
      ...undelivered,
      is: 'held',
      afterMs,
      ...(isLeft ? { refused: refusalHash(record.hash, configHash) } : {}),
    };
  }
  if (call?.signal?.aborted) return postponed(0);
  log.error({ key: record.key, err: error }, 'The delivery of a record failed with an unexpected error.');
  return retry();

  function postponed(afterMs: number): DeliveryResult {
    return { ...undelivered, is: 'postponed', afterMs };
  }

  function retry(afterMs?: number): DeliveryResult {
    const attempts = record.attempts + 1;
    if (attempts < target.maxAttempts) {
      return { ...undelivered, is: 'retry', afterMs: retryDelay(attempts, target, runtime, afterMs) };
    }
    const exhausted = { ...undelivered, reason: `${reason} (${attempts} attempts)` };
    const isInDoubt = hasPosted && error instanceof CmsError ? error.ambiguous : createUnconfirmed;
    return isInDoubt ? { ...exhausted, is: 'held', afterMs: afterMs ?? 0 } : { ...exhausted, is: 'failed' };
  }

  function cmsFailure(error: CmsError): DeliveryResult {
    if (error.kind === 'stops') return { ...undelivered, is: 'stopped' };
    if (error.kind === 'permanent') {
      if (blocker?.isLeaving && record.attempts + 1 < target.maxAttempts) return retry();
      return { ...undelivered, is: 'failed', refused: refusalHash(record.hash, configHash), refusedBy: blocker?.key };
    }
    const afterMs = Math.max(error.retryAfterMs ?? 0, quietMs(error, target));
    // A pause for the CMS, or a stop of the process, says nothing about the record: this does not count as an attempt.
    if (error.code === 'FF_CMS_ABORTED') return postponed(afterMs);
    return error.health === 'busy' ? postponed(Math.max(afterMs, target.backoffMs)) : retry(afterMs);
  }
}

/** Whether a failed create has left this process. It is looked up before another is sent, whatever the CMS answered. */
function wasSent(error: unknown): boolean {
  if (error instanceof CmsError) return error.mayBeApplied || error.status !== undefined;
  return !(error instanceof TargetPausedError || error instanceof TargetStoppedError);
}

/** Statuses of gateways, behind which the CMS may still be at work (RFC 9110, 15.6; 520 to 527 are Cloudflare's). */
const GATEWAY = /^(50[234]|52[0-7])$/;

/** How long a failed create may still be in progress, in ms. Its item is not looked up earlier. */
function quietMs(
  { code, ambiguous, status }: CmsError,
  { lookupAfterMs, timeoutMs }: DeliveryContext['target'],
): number {
  if (!ambiguous || (status !== undefined && !GATEWAY.test(String(status)))) return 0;
  return code === 'FF_CMS_TIMEOUT' ? Math.max(lookupAfterMs, timeoutMs) : lookupAfterMs;
}
