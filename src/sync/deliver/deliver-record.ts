import { CmsAbortedError, CmsError, CmsTimeoutError } from '../../cms/errors.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import { TargetPausedError, TargetStoppedError } from '../../core/gate.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { createRecord } from './create-record.ts';
import { deleteRecord } from './delete-record.ts';
import type { Delivery, DeliverySoFar } from './delivery.ts';
import { overwriteRecord } from './overwrite-record.ts';
import { updateRecord } from './update-record.ts';

/**
 * Brings one claimed record to the CMS: files first, then one POST or PATCH, or does what else is wanted of its item. Never
 * a second POST in the dark.
 */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<Delivery> {
  const delivery: DeliverySoFar = {
    delivered: record.delivered ?? {},
    fingerprints: record.deliveredAttachments,
    editorState: record.editorState,
    uploads: 0,
    incomplete: false,
    createUnconfirmed: record.createUnconfirmed,
  };
  const outcome = await act(record, delivery, context).catch((error: unknown) => failure(error, record, context));
  return { ...delivery, outcome };
}

function act(record: ClaimedRecord, delivery: DeliverySoFar, context: DeliveryContext): Promise<Outcome> {
  const { action, cmsId } = record;
  if (action === 'delete') return deleteRecord(record, delivery, context);
  if (action !== null) return overwriteRecord(record, delivery, context);
  return cmsId === null ? createRecord(record, delivery, context) : updateRecord(record, cmsId, delivery, context);
}

/** Translates what went wrong into an outcome, by the class of the error alone. */
function failure(error: unknown, { key }: ClaimedRecord, { target, call, log }: DeliveryContext): Outcome {
  if (error instanceof TargetStoppedError) return { is: 'stopped', error };
  if (error instanceof TargetPausedError) return { is: 'postponed', error, afterMs: error.afterMs };
  if (error instanceof CmsError) return cmsFailure(error, target);
  if (error instanceof CodedError && error.code === 'FF_LEDGER_UNAVAILABLE') {
    return { is: 'postponed', error, afterMs: target.backoffMs };
  }
  if (error instanceof CodedError) return { is: 'held', error };
  if (call?.signal?.aborted) return { is: 'postponed', error: toCodedError(error), afterMs: 0 };
  log.error({ key, err: error }, 'A record could not be delivered for a reason that nobody foresaw.');
  return { is: 'retry', error: toCodedError(error) };
}

function cmsFailure(error: CmsError, target: DeliveryContext['target']): Outcome {
  if (error.kind === 'stops') return { is: 'stopped', error };
  if (error.kind === 'permanent') return { is: 'failed', error };
  const afterMs = Math.max(error.retryAfterMs ?? 0, quietMs(error, target));
  // That the CMS wants a pause, or that this process stops, says nothing about the record: that is no attempt.
  if (error instanceof CmsAbortedError) return { is: 'postponed', error, afterMs };
  if (error.health === 'busy') return { is: 'postponed', error, afterMs: Math.max(afterMs, target.backoffMs) };
  return { is: 'retry', error, afterMs };
}

/** A create without an answer may still be on its way: it is not looked for too early. */
function quietMs(error: CmsError, { lookupAfterMs, timeoutMs }: DeliveryContext['target']): number {
  if (!error.ambiguous) return 0;
  return error instanceof CmsTimeoutError ? Math.max(lookupAfterMs, timeoutMs) : lookupAfterMs;
}
