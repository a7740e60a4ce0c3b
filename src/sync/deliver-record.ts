import { CmsError } from '../cms/errors.ts';
import { CodedError, toCodedError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Payload } from '../core/record.ts';
import type { ClaimedRecord } from '../ledger/claims.ts';
import type { DeliveryContext } from './context.ts';
import { externalIdOf, findInCms } from './find.ts';
import { changedAttributes, createBody } from './plan.ts';
import { type UploadedFiles, uploadFiles } from './upload.ts';

/** What delivering a record came to, and what the CMS has of it now. */
export interface Delivery {
  outcome: Outcome;
  delivered: Payload;
  fingerprints: Record<string, string>;
  uploads: number;
  /** The record went without a file that could not be read. */
  incomplete: boolean;
  /** A create was sent of which nobody knows whether it was applied. */
  maybeSent: boolean;
}

/** Brings one claimed record to the CMS: files first, then one POST or PATCH. Never a second POST in the dark. */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<Delivery> {
  const delivery: Delivery = {
    outcome: { is: 'unchanged' },
    delivered: record.delivered ?? {},
    fingerprints: record.deliveredAttachments,
    uploads: 0,
    incomplete: false,
    maybeSent: record.maybeSent,
  };
  try {
    const files = await uploadFiles(record, context);
    delivery.uploads = files.uploads;
    delivery.incomplete = files.incomplete;
    delivery.outcome =
      record.cmsId === null
        ? await create(record, files, delivery, context)
        : await update(record, record.cmsId, files, context);
    delivery.delivered = { ...delivery.delivered, ...record.desired, ...files.payload };
    delivery.fingerprints = { ...delivery.fingerprints, ...files.fingerprints };
  } catch (error) {
    delivery.outcome = failure(error, context);
  }
  return delivery;
}

async function update(
  record: ClaimedRecord,
  cmsId: number,
  files: UploadedFiles,
  context: DeliveryContext,
): Promise<Outcome> {
  const changed = changedAttributes({ ...record.desired, ...files.payload }, record.delivered ?? {});
  if (Object.keys(changed).length === 0) return { is: 'unchanged' };
  await resource(record, context).patch(cmsId, changed);
  return { is: 'updated', cmsId };
}

async function create(
  record: ClaimedRecord,
  files: UploadedFiles,
  delivery: Delivery,
  context: DeliveryContext,
): Promise<Outcome> {
  const body = createBody({ ...record.desired, ...files.payload, ...mark(record, context) });
  if (record.maybeSent) {
    const found = await findInCms(record, body, context);
    if (found.is === 'unsure') return { is: 'held', error: inDoubt(record, found.reason) };
    if (found.is === 'found') return adopt(record, found.cmsId, body, context);
    delivery.maybeSent = false;
  }
  try {
    const { id } = await resource(record, context).create(body);
    delivery.maybeSent = false;
    return { is: 'created', cmsId: id };
  } catch (error) {
    delivery.maybeSent = error instanceof CmsError && error.ambiguous;
    throw error;
  }
}

/** The create had been applied after all. What it carried may be older than what is desired now: send the whole. */
async function adopt(record: ClaimedRecord, cmsId: number, body: Payload, context: DeliveryContext): Promise<Outcome> {
  await resource(record, context).patch(cmsId, body);
  return { is: 'created', cmsId };
}

function resource(record: ClaimedRecord, { cms, sync }: DeliveryContext) {
  return record.resource === 'events' ? cms.events(sync.instance) : cms.accounts();
}

function mark(record: ClaimedRecord, { target }: DeliveryContext): Payload {
  return target.externalId ? { [target.externalId]: externalIdOf(record) } : {};
}

function inDoubt(record: ClaimedRecord, reason: string): CodedError {
  return new CodedError('FF_CMS_AMBIGUOUS', `"${record.key}" may have been created already: ${reason}.`);
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
