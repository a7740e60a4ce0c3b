import { CmsError } from '../../cms/errors.ts';
import { CodedError, isLedgerFault, toCodedError } from '../../core/errors.ts';
import { TargetPausedError, TargetStoppedError } from '../../core/gate.ts';
import { retryDelay } from '../../core/retry.ts';
import type { Sent } from '../../ledger/attempts/deliveries.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import { refusalHash } from '../compare/changes.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { type Blocker, blockerOf } from './blocked-by.ts';

/** How far a delivery has come. */
export interface Progress {
  /** As it is known by now. */
  record: ClaimedRecord;
  /** Number of files that were uploaded. */
  uploads: number;
  /** The request that writes the item, from the moment on in which it may be sent. */
  sent?: Sent;
  /** The CMS has refused that request with files, and it is sent without them. */
  isRepeated?: boolean;
  /** The CMS answered that request with 404: errors that follow are those of other requests. */
  isAnswered?: boolean;
  /** The CMS may have applied the answered request. */
  isInDoubt?: boolean;
  /** It was proven that earlier creates have left no item. */
  isAbsent?: boolean;
}

type AttemptContext = Pick<DeliveryContext, 'target' | 'configHash' | 'call' | 'log' | 'runtime' | 'ledger'>;

/**
 * Delivers a record. The result includes what was done, even if the rest fails. Only here does an error become a result, by its
 * class alone.
 */
export async function attempt(
  record: ClaimedRecord,
  context: AttemptContext,
  work: (progress: Progress) => Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  const progress: Progress = { record, uploads: 0 };
  const result = await work(progress).catch(async (error: unknown) => {
    // Without the ledger, the refusal stands as the CMS has written it.
    const blocker = await blockerOf(error, record, context).catch(() => undefined);
    return failure(error, progress, { ...context, blocker });
  });
  const { sent, uploads } = progress;
  return { ...(sent ? { sent } : {}), uploads, ...result };
}

function failure(
  error: unknown,
  progress: Progress,
  context: AttemptContext & { blocker: Blocker | undefined },
): DeliveryResult {
  const { target, configHash, call, log, runtime, blocker } = context;
  const { record, sent, isAnswered, isAbsent } = progress;
  const { code, message } = toCodedError(error);
  const doubt = doubtOf(error, progress);
  const undelivered = {
    ...{ code, reason: blocker ? `${message}. ${blocker.reason}` : message },
    ...(doubt ? { doubt } : {}),
    ...(isAbsent ? { isAbsent } : {}),
    // What certainly did not leave this process was not sent.
    ...(sent && !isAnswered && isUnsent(error) ? { sent: undefined } : {}),
  };
  const isWrite = sent !== undefined && !isAnswered;
  const mayHaveItem =
    !('item' in record) && (doubt === 'sent' ? sent?.method === 'POST' : !isAbsent && 'quiet' in record);

  if (error instanceof TargetStoppedError) return { ...undelivered, is: 'stopped' };
  if (error instanceof TargetPausedError) return postponed(error.afterMs);
  if (error instanceof CmsError) return cmsFailure(error);
  if (code === 'FF_LEDGER_UNAVAILABLE') return postponed(target.backoffMs);
  if (isLedgerFault(error)) return { ...undelivered, is: 'stopped' };
  if (code === 'FF_CMS_UNPROVEN' || code === 'FF_CMS_NOT_TAKEN') return retry();
  // Before the last look, the lists get the time to show the delete.
  if (code === 'FF_CMS_NOT_DELETED') {
    return retry(record.attempts + 2 >= target.maxAttempts ? target.lookupAfterMs : 0);
  }
  if (code === 'FF_CMS_PATCH_REPLACES') return { ...undelivered, is: 'stopped' };
  if (error instanceof CodedError) {
    // The CMS returned another item: its lists may not show yet the item that the create has left.
    const afterMs = isWrite && sent.method === 'POST' ? target.lookupAfterMs : undefined;
    return { ...undelivered, is: 'held', afterMs };
  }
  if (call?.stopping?.aborted) return postponed(0);
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
    const reason = `${undelivered.reason} (${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`;
    return final({ ...undelivered, reason }, afterMs);
  }

  /** An item that may exist is looked up by the next run, not earlier than it can be seen. */
  function final(reason: typeof undelivered, afterMs = 0): DeliveryResult {
    if (mayHaveItem) return { ...reason, is: 'held', afterMs };
    return { ...reason, is: reason.code === 'FF_CMS_UNPROVEN' ? 'held' : 'failed' };
  }

  function cmsFailure(error: CmsError): DeliveryResult {
    if (error.kind === 'stops') return { ...undelivered, is: 'stopped' };
    // Only the answer to a write refuses the content of a record.
    if (error.kind === 'permanent' && !isWrite) return final(undelivered);
    if (error.kind === 'permanent') {
      if (blocker?.isLeaving && record.attempts + 1 < target.maxAttempts) return retry();
      // A delete, mark or restore that is refused says nothing about the content of the source.
      const isContent = record.goal.is === 'have' || record.goal.is === 'haveOnce';
      const refused = isContent ? { refused: refusalHash(record.hash, configHash) } : {};
      return { ...undelivered, is: 'failed', ...refused, refusedBy: blocker?.key };
    }
    const afterMs = Math.max(error.retryAfterMs ?? 0, quietMs(error, target));
    // A pause for the CMS, or a stop of the process, says nothing about the record: this does not count as an attempt.
    if (error.code === 'FF_CMS_ABORTED') return postponed(afterMs);
    return error.health === 'busy' ? postponed(Math.max(afterMs, target.backoffMs)) : retry(afterMs);
  }
}

/** Whether the CMS may have applied a request that has failed. A create that it has answered with an error is looked up, too. */
function doubtOf(error: unknown, { sent, isAnswered, isInDoubt }: Progress): 'sent' | 'refused' | undefined {
  if (!sent) return undefined;
  if (isAnswered) return isInDoubt ? 'sent' : undefined;
  if (isUnsent(error)) return undefined;
  if (!(error instanceof CmsError) || error.mayBeApplied) return 'sent';
  return sent.method === 'POST' ? 'refused' : undefined;
}

/** Whether a request that failed has certainly not left this process. */
function isUnsent(error: unknown): boolean {
  if (error instanceof CmsError) return !error.mayBeApplied && error.status === undefined;
  return error instanceof TargetPausedError || error instanceof TargetStoppedError;
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
