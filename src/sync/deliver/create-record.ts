import { CmsError } from '../../cms/errors.ts';
import { CodedError } from '../../core/errors.ts';
import { TargetPausedError, TargetStoppedError } from '../../core/gate.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { rememberWritten } from '../compare/authority.ts';
import { createBody } from '../compare/changes.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf } from '../items/cms-items.ts';
import { externalIdAttribute, externalIdOf } from '../items/external-id.ts';
import { madeOfCreate } from './before-image.ts';
import type { DeliverySoFar } from './delivery.ts';
import { lookUp } from './look-up.ts';
import { uploadFiles } from './upload-files.ts';

/**
 * Brings a record to the CMS that has no id there yet. Where an earlier create may have been applied, it is looked up.
 * @throws CmsError; CodedError FF_SECRET_… where its password cannot be decrypted, FF_ATTACHMENT_… where such records are held
 */
export async function createRecord(
  record: ClaimedRecord,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<Outcome> {
  const files = await uploadFiles(record, context);
  delivery.uploads = files.uploads;
  delivery.incomplete = files.incomplete;
  const wanted = { ...record.desired, ...files.payload, ...externalIdAttribute(record, context) };
  const body = createBody(wanted);
  const cmsId = await lookUp(record, delivery, context);
  if (cmsId instanceof CodedError) return { is: 'held', error: cmsId };
  const item = cmsId === undefined ? await create() : await overwrite(cmsId);

  if (delivery.sent) delivery.sent.after = madeOfCreate(wanted, item, record.resource);
  delivery.delivered = wanted;
  delivery.fingerprints = files.fingerprints;
  delivery.editorState = rememberWritten({}, wanted, item, context.sync.authority ?? {});
  return { is: 'created', cmsId: item.id };

  async function create() {
    const whole = { ...body, ...passwordOf(record, context) };
    delivery.sent = { method: 'POST', attributes: Object.keys(whole) };
    try {
      const created = await itemsOf(record.resource, context).create(whole);
      delivery.createUnconfirmed = false;
      return created;
    } catch (error) {
      delivery.createUnconfirmed = isAmbiguous(error);
      throw error;
    }
  }

  /** The create had been applied after all. What it carried may be older than what is desired now: send the whole, empties too. */
  function overwrite(id: number) {
    delivery.sent = { method: 'PATCH', attributes: Object.keys(wanted) };
    return itemsOf(record.resource, context).patch(id, wanted);
  }
}

/** What is not known to be harmless may have left a create in the CMS. */
function isAmbiguous(error: unknown): boolean {
  if (error instanceof CmsError) return error.ambiguous;
  return !(error instanceof TargetPausedError || error instanceof TargetStoppedError);
}

function passwordOf(record: ClaimedRecord, { passwordCipher }: DeliveryContext): Payload {
  return record.password === null ? {} : { password: passwordCipher.open(record.password, externalIdOf(record)) };
}
