import { CmsError } from '../../cms/errors.ts';
import { CodedError, isLedgerFault, toCodedError } from '../../core/errors.ts';
import { TargetPausedError, TargetStoppedError } from '../../core/gate.ts';
import { retryDelay } from '../../core/retry.ts';
import { type ClaimedRecord, refusedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import { refusalHash } from '../compare/changes.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { hasAlt } from '../items/alt-text.ts';
import { filterAttributes } from '../items/values.ts';
import { type Blocker, blockerOf } from './blocked-by.ts';
import { missingFiles, observe } from './observe.ts';
import { perform } from './perform.ts';
import { actionFor } from './protocol.ts';
import type { Progress } from './second-look.ts';
import { uploadFiles } from './upload-files.ts';
import { type FilePayload, leaveOut } from './without-files.ts';

/**
 * Brings one claimed record to the CMS: uploads its files, observes what the CMS has of it, decides by the table of protocol.ts,
 * and sends one POST, PATCH or DELETE at most; if the CMS refuses the item with its files, another one without them. Does not throw:
 * errors are results, too.
 */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  const { sent, ...result } = await attempt(record, context, async (progress) => {
    // Before the observation: an upload may take minutes.
    let files = await uploadFiles(record, await missingFiles(record, context), context);
    progress.uploads = files.uploads;
    let sees = await observe(record, files, context);
    for (;;) {
      const { record: now } = progress;
      const action = actionFor(now.goal.is, now.knows, sees.is);
      const done = await perform(action, sees, { progress, files, context }).catch(async (error: unknown) => {
        if (!isRefusal(error, progress)) throw error;
        if (mayRefuseAlt(progress, files, context)) progress.isWithoutAlt = true;
        else {
          const attributes = filesOfRefusal(error, progress, files, context);
          if (!attributes) throw error;
          files = await leaveOut(attributes, { refused: error }, { record: now, files, context });
        }
        progress.isRepeated = true;
        if ('item' in now) return { again: sees };
        progress.record = refusedRecord(now, context.runtime.monotonic());
        return { again: undefined };
      });
      if ('is' in done) return done;
      sees = done.again ?? (await observe(progress.record, files, context));
    }
  });
  if (!sent) return result;
  const { method, attributes } = sent;
  return { ...result, sent: context.keepsBefore ? sent : { method, attributes } };
}

/** Whether the CMS has refused the content of an item. */
function isRefusal(error: unknown, { isAnswered }: Progress): error is CmsError {
  return error instanceof CmsError && error.kind === 'permanent' && !error.mayBeApplied && !isAnswered;
}

/** Whether the CMS may take an item without the alternative texts that were sent. */
function mayRefuseAlt(
  { record, sent, isWithoutAlt }: Progress,
  { payload }: FilePayload,
  { habits }: Pick<DeliveryContext, 'habits'>,
): boolean {
  const wanted = filterAttributes(
    { ...record.desired, ...payload },
    (name) => sent?.attributes.includes(name) === true,
  );
  return !isWithoutAlt && !habits.refusesAlt() && hasAlt(wanted);
}

/** The files with which the CMS has refused an item, if it may take it without them. */
function filesOfRefusal(
  { errors }: CmsError,
  { sent }: Progress,
  { payload }: FilePayload,
  { sync }: Pick<DeliveryContext, 'sync'>,
): string[] | undefined {
  const attributes = Object.keys(payload).filter((attribute) => sent?.attributes.includes(attribute));
  if (sync.onAttachmentError === 'hold' || attributes.length === 0) return undefined;
  const named = attributes.filter((attribute) => errors.some(({ detail }) => detail?.includes(attribute)));
  return named.length > 0 ? named : attributes;
}

type AttemptContext = Pick<DeliveryContext, 'target' | 'configHash' | 'call' | 'log' | 'runtime' | 'ledger'>;

/**
 * Delivers a record. The result includes what was done, even if the rest fails. Only here does an error become a result, by its
 * class alone.
 */
async function attempt(
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
