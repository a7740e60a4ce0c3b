import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import { type Payload, UNKNOWN, unknown } from '../../core/record.ts';
import type { Sent } from '../../ledger/history/deliveries.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import { rememberWritten } from '../compare/authority.ts';
import { createBody } from '../compare/changes.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdAttribute, externalIdsOf } from '../items/external-id.ts';
import { partsOf, rewrittenByCms, rewrittenOrAddedByCms } from '../items/item-images.ts';
import { filterAttributes } from '../items/values.ts';
import { attempt } from './attempt.ts';
import { checkFound, type FoundItem } from './check-found.ts';
import { deletedInCms } from './deleted-in-cms.ts';
import { afterLookUp } from './look-up.ts';
import { checkCreated, readOwnItem } from './own-item.ts';
import { type FilePayload, uploadFiles } from './upload-files.ts';

/**
 * Brings a record that is not created yet to the CMS. If an earlier create is unconfirmed, its item is looked up first.
 * @throws CmsError; CodedError FF_ATTACHMENT_… if a file cannot be read and the sync holds such records
 */
export async function createRecord(record: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  const files = await uploadFiles(record, context);
  return attempt({ uploads: files.uploads }, record, context, () =>
    afterLookUp(record, context, (found) => write(found, files, context)),
  );
}

/** @throws CodedError FF_SECRET_… if the password cannot be decrypted */
async function write(record: ClaimedRecord, files: FilePayload, context: DeliveryContext): Promise<DeliveryResult> {
  const { cmsId, resource, desired, expectedItemHash } = record;
  const items = itemsOf(resource, context);
  // A create that was applied may have sent an older payload: the item gets all attributes, and empty ones are cleared.
  const cleared = record.unconfirmedPayloads && noFiles(record, context);
  const wanted = { ...cleared, ...desired, ...files.payload, ...externalIdAttribute(record, context) };
  const inDoubt = cmsId === null ? {} : unknown(unsetFiles(record, files));
  if (cmsId === null) return create();
  return expectedItemHash === null ? takeOver(cmsId) : recreated(cmsId);

  function create(): Promise<DeliveryResult> {
    const body = { ...createBody(wanted), ...passwordOf(record, context) };
    const sent = sentWith('POST', body);
    return attempt({ sent }, record, context, async () => created(await items.create(body), sent));
  }

  async function takeOver(id: number): Promise<DeliveryResult> {
    const { fingerprints } = files;
    const found = await checkFound({ ...record, cmsId: id }, { wanted, fingerprints }, context);
    if (!found) return deletedInCms(record, id, context);
    const { body, live, edited } = found;
    // Includes attributes that only the create has sent: an undo takes every attribute that is missing here for an edit.
    const ours = filterAttributes(wanted, (attribute) => !edited.includes(attribute));
    if (Object.keys(body).length === 0) return created(live, sentWith('POST', ours), found);
    const sent = sentWith('PATCH', ours);
    return attempt({ sent }, record, context, async () => {
      const item = await unlessDeleted(items.patch(id, body));
      return item ? created(item, sent, found) : deletedInCms(record, id, context);
    });
  }

  /**
   * Takes over the item that an undo has created. Does not write again: differences are edits, maybe beyond the source's
   * attributes.
   */
  async function recreated(id: number): Promise<DeliveryResult> {
    const live = await readOwnItem(record, id, context);
    return live ? created({ ...live, ...wanted }, sentWith('POST', wanted)) : deletedInCms(record, id, context);
  }

  function created(
    item: CmsItem,
    sent: Sent,
    { body, kept, editorState }: Pick<FoundItem, 'body' | 'kept' | 'editorState'> = {
      body: wanted,
      kept: {},
      editorState: {},
    },
  ): DeliveryResult {
    const delivered: Payload = { ...inDoubt, ...wanted, ...kept };
    const isDelivered = (attribute: string) => isDeepStrictEqual(delivered[attribute], wanted[attribute]);
    const unknownYet = filterAttributes(kept, (_, value) => value === UNKNOWN);
    // In attributes that were not written, a different value is not what the CMS made of ours.
    const isLeft = (attribute: string) => !Object.hasOwn(body, attribute) && !Object.hasOwn(unknownYet, attribute);
    const unedited = { ...item, ...filterAttributes(wanted, isLeft) };
    checkCreated(item, { ...record, desired: { ...wanted, ...kept } }, context);
    return {
      is: 'created',
      cmsId: item.id,
      sent: { ...sent, after: { ...rewrittenOrAddedByCms(wanted, unedited, resource), ...partsOf(item, unknownYet) } },
      delivered,
      madeByCms: rewrittenByCms(wanted, unedited),
      deliveredAttachments: filterAttributes(files.fingerprints, isDelivered),
      editorState: rememberWritten(editorState, body, item, context.sync.authority ?? {}),
      incomplete: files.incomplete,
      unlistedMs: context.target.lookupAfterMs,
    };
  }
}

function sentWith(method: 'POST' | 'PATCH', body: Payload): Sent {
  return { method, attributes: Object.keys(body) };
}

/** The file attributes for which the source has none. */
function noFiles({ attachments }: ClaimedRecord, { sync }: DeliveryContext): Payload {
  return filterAttributes(fingerprintsOf(attachments, sync), (_, fingerprint) => fingerprint === null);
}

/** The files that could not be read now: the create may have sent others. */
function unsetFiles({ attachments }: ClaimedRecord, { payload }: FilePayload): string[] {
  return attachments.map(({ attribute }) => attribute).filter((attribute) => !Object.hasOwn(payload, attribute));
}

function passwordOf(
  record: ClaimedRecord,
  { sync, passwordCipher }: Pick<DeliveryContext, 'sync' | 'passwordCipher'>,
): Payload {
  const owners = externalIdsOf(record, sync);
  return record.password === null ? {} : { password: passwordCipher.open(record.password, ...owners) };
}
