import { CmsError } from '../cms/errors.ts';
import { CodedError, toCodedError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Payload } from '../core/record.ts';
import type { ClaimedRecord } from '../ledger/claims.ts';
import type { Editable } from '../ledger/editable.ts';
import type { Sent } from '../ledger/history.ts';
import type { DeliveryContext } from './context.ts';
import { createRecord } from './create-record.ts';
import { updateRecord } from './update-record.ts';

/** What delivering a record came to, and what the CMS has of it now. */
export interface Delivery {
  outcome: Outcome;
  delivered: Payload;
  fingerprints: Record<string, string>;
  editable: Editable;
  /** The request that wrote the record, whatever came of it. */
  sent?: Sent;
  uploads: number;
  /** The record went without a file that could not be read. */
  incomplete: boolean;
  /** A create was sent of which nobody knows whether it was applied. */
  maybeSent: boolean;
}

/** What has happened so far, written down as it happens: the outcome may be an error at any step. */
export type DeliverySoFar = Omit<Delivery, 'outcome'>;

/** Brings one claimed record to the CMS: files first, then one POST or PATCH. Never a second POST in the dark. */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<Delivery> {
  const delivery: DeliverySoFar = {
    delivered: record.delivered ?? {},
    fingerprints: record.deliveredAttachments,
    editable: record.editable,
    uploads: 0,
    incomplete: false,
    maybeSent: record.maybeSent,
  };
  const outcome = await act(record, delivery, context).catch((error: unknown) => failure(error, context));
  return { ...delivery, outcome };
}

function act(record: ClaimedRecord, delivery: DeliverySoFar, context: DeliveryContext): Promise<Outcome> {
  return record.cmsId === null
    ? createRecord(record, delivery, context)
    : updateRecord(record, record.cmsId, delivery, context);
}

/** Translates what went wrong into an outcome, by the class of the error alone. */
function failure(error: unknown, { log }: DeliveryContext): Outcome {
  if (error instanceof CmsError) {
    if (error.kind === 'stops') return { is: 'stopped', error };
    if (error.kind === 'permanent') return { is: 'failed', error };
    return { is: 'retry', error, ...(error.retryAfterMs === undefined ? {} : { afterMs: error.retryAfterMs }) };
  }
  if (error instanceof CodedError) return { is: 'held', error };
  log.error({ err: error }, 'A record could not be delivered for a reason that nobody foresaw.');
  return { is: 'failed', error: toCodedError(error) };
}
