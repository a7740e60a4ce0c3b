import type { CmsItem } from '../../cms/client.ts';
import { CmsError, isNotFound } from '../../cms/errors.ts';
import { isUnfilled } from '../../core/attributes.ts';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import type { Sent } from '../../ledger/attempts/deliveries.ts';
import {
  type ClaimedRecord,
  deletedRecord,
  foundRecord,
  type RecordWithItem,
} from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import { createBody } from '../compare/changes.ts';
import { createsAgain } from '../compare/decide.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { unsentOf } from '../evidence/evidence.ts';
import { hasAlt, withoutAlt } from '../items/alt-text.ts';
import { itemsOf } from '../items/cms-items.ts';
import { externalIdsOf } from '../items/external-id.ts';
import { asWritten, writableOf } from '../items/item-images.ts';
import { filterAttributes, valueAt } from '../items/values.ts';
import { exactPatchOf, foundPatchOf, type Patch, patchOf, wantedOf } from './bodies.ts';
import { confirmCreated, confirmPatched, confirmUnchanged } from './confirm.ts';
import { appliedDelete, beforeMark, keepDelete, keepPatch, keepTakeOver } from './keep-call.ts';
import { type Observation, observeAbsence } from './observe.ts';
import { refuseEarlier } from './own-item.ts';
import type { Action } from './protocol.ts';
import { noteRestored, restoreLost, stillLost } from './restore-lost.ts';
import { beforePatch, learnFrom, lookAtWritten, type Progress, type Seen } from './second-look.ts';
import { takeBack } from './take-back.ts';
import { type FilePayload, leaveOut } from './without-files.ts';

interface Delivery {
  progress: Progress;
  files: FilePayload;
  context: DeliveryContext;
}

/** The item has to be observed again; `again`: it was already. */
interface Unsettled {
  again: Observation | undefined;
}

/**
 * Does what the protocol says. Only here is sent what writes an item.
 * @throws CmsError; CodedError FF_CMS_AMBIGUOUS, FF_CMS_FOREIGN, FF_CMS_UNPROVEN, FF_UNDO_EDITED, FF_SECRET_…
 */
export async function perform(
  action: Action,
  seen: Observation,
  delivery: Delivery,
): Promise<DeliveryResult | Unsettled> {
  const { progress, files, context } = delivery;
  const { record } = progress;
  if (seen.is === 'provenAbsent') progress.isAbsent = true;
  switch (action) {
    case 'create':
      return create(record, delivery);
    case 'take':
      return take(record, seen, delivery);
    case 'relocate':
      return relocate(withItem(record), seen, delivery);
    case 'patchFound':
      return patchFound(withItem(record), liveOf(seen), delivery);
    case 'patch':
      return patch(liveOf(seen), (own, live, taken) => patchOf(own, taken, live, context), delivery);
    case 'patchAll':
      return patch(liveOf(seen), exactPatchOf, delivery);
    case 'remove':
      return remove(withItem(record), liveOf(seen), delivery);
    case 'settleCreated': {
      // Does not write again: differences are edits, maybe beyond the source's attributes.
      const wanted = wantedOf(record, files, context);
      const item = { ...liveOf(seen), ...wanted };
      return confirmCreated({ record, files, context }, { item, wanted, sent: sentWith('POST', wanted) });
    }
    case 'settleUnchanged':
      return confirmUnchanged(withItem(record), patchOf(withItem(record), files, undefined, context));
    case 'settleRemoved':
      return { is: 'removed', ...appliedDelete(record) };
    case 'leaveDeleted':
      return deleted(withItem(record), false);
    case 'followPolicy':
      return deleted(withItem(record), createsAgain(context.sync));
    case 'createAgain':
      return deleted(withItem(record), true);
    case 'holdAmbiguous':
      throw doubtful('FF_CMS_AMBIGUOUS', seen);
    case 'holdForeign':
      throw doubtful('FF_CMS_FOREIGN', seen);
    case 'holdEdited': {
      const message = `"${record.key}", item ${withItem(record).item.cmsId}, was edited in the CMS after its change was planned.`;
      throw new CodedError('FF_UNDO_EDITED', message);
    }
    case 'tryLater':
      throw doubtful('FF_CMS_UNPROVEN', seen);
  }
}

async function create(record: ClaimedRecord, { progress, files, context }: Delivery): Promise<DeliveryResult> {
  const wanted = wantedOf(record, files, context);
  const body = { ...createBody(wanted), ...passwordOf(record, context) };
  const sent = sentWith('POST', body);
  const { answer, write, seen, shared } = await context.habits.sendId(
    record,
    context.target.externalId,
    async (note) => {
      progress.sent = sent;
      const answer = await send(body, { progress, context }, itemsOf(record.resource, context).create);
      const write = { sent: createBody(wanted), answer };
      const seen = await lookAtWritten(write, { progress, context });
      const shared = seen.isState ? await note(seen.item) : undefined;
      return { answer, write, seen, shared };
    },
  );
  await refuseEarlier(seen, record, context);
  if (shared) {
    await takeBack(record, seen.item, context);
    throw shared;
  }
  const result = confirmCreated({ record, files, context }, { item: seen.item, wanted, sent });
  const notTaken = await learnFrom(seen, write, { progress, context });
  if (notTaken.length === 0) return result;
  const taken = await withoutLost(notTaken, seen, { progress, files, context });
  if (taken) {
    const rest = wantedOf(record, taken, context);
    return confirmCreated({ record, files: taken, context }, { item: seen.item, wanted: rest, sent });
  }
  // The item is ours. The next attempt completes it with a PATCH.
  const taking = await context.ledger.records.takeItem(record, answer.id, true);
  if (taking !== 'taken') return result;
  progress.record = foundRecord(record, answer.id);
  throw untaken(record, answer.id, notTaken);
}

async function take(
  record: ClaimedRecord,
  seen: Observation,
  { progress, context }: Delivery,
): Promise<DeliveryResult | Unsettled> {
  if (seen.is !== 'oneItem') throw unexpected(seen);
  const { cmsId } = seen;
  const taking = await context.ledger.records.takeItem(record, cmsId);
  if (taking === 'contested') {
    const message = `"${record.key}" may have been created already: another record is being matched with item ${cmsId}, too.`;
    throw new CodedError('FF_CMS_AMBIGUOUS', message);
  }
  if (taking === 'taken') progress.record = foundRecord(record, cmsId);
  return { again: undefined };
}

async function relocate(
  record: RecordWithItem,
  seen: Observation,
  { progress, context }: Delivery,
): Promise<Unsettled> {
  if (seen.is !== 'movedItem') throw unexpected(seen);
  const { cmsId } = seen;
  if ((await context.ledger.records.takeItem(record, cmsId)) !== 'taken') {
    throw new CodedError(
      'FF_CMS_UNPROVEN',
      `"${record.key}": item ${cmsId} is being matched with another record, too.`,
    );
  }
  progress.record = { ...record, item: { ...record.item, cmsId } };
  return { again: undefined };
}

async function patchFound(
  record: RecordWithItem,
  live: CmsItem,
  { progress, files, context }: Delivery,
): Promise<DeliveryResult | Unsettled> {
  const wanted = wantedOf(record, files, context);
  const lost = stillLost(record, live);
  const whole = { ...live, ...lost };
  const foundWith = (taken: FilePayload) =>
    foundPatchOf(record, wantedOf(record, taken, context), taken, { ...context, live: whole });
  const found = foundWith(files);
  // Includes attributes that only the create has sent: an undo takes every attribute that is missing here for an edit.
  const ours = filterAttributes(wanted, (attribute) => !found.edited.includes(attribute));
  const body = { ...asWritten(lost), ...found.body };
  if (Object.keys(body).length === 0) {
    return confirmCreated({ record, files, context }, { item: live, wanted, sent: sentWith('POST', ours) }, found);
  }
  const keep = async () => {
    await keepTakeOver(record, found.body, whole, context);
    return sentWith('PATCH', ours);
  };
  const done = await sendPatch(record, { body, live, lost, keep }, { progress, files, context });
  if (!done) return { again: await observeAbsence(record, context) };
  const { item, taken } = done;
  const confirmed = { item, wanted: wantedOf(record, taken, context), sent: sentWith('PATCH', ours) };
  return confirmCreated({ record, files: taken, context }, confirmed, foundWith(taken));
}

async function patch(
  live: CmsItem,
  wantedBy: (record: RecordWithItem, live: CmsItem, files: FilePayload) => Patch,
  { progress, files, context }: Delivery,
): Promise<DeliveryResult | Unsettled> {
  const record = withItem(progress.record);
  const lost = stillLost(record, live);
  const whole = { ...live, ...lost };
  const wanted = wantedBy(record, whole, files);
  const body = { ...asWritten(lost), ...wanted.body };
  if (Object.keys(body).length === 0) return confirmUnchanged(record, wanted);
  const keep = () => keepPatch(record, wanted.body, whole, context, progress.isRepeated);
  const done = await sendPatch(record, { body, live, lost, keep }, { progress, files, context });
  if (!done) return { again: await observeAbsence(record, context) };
  const { item, taken } = done;
  const left = Object.keys(files.payload).filter((attribute) => !Object.hasOwn(taken.payload, attribute));
  const confirmed = left.length === 0 ? wanted : lacking(left, wantedBy(record, whole, taken));
  if (Object.keys(confirmed.body).length === 0) return confirmUnchanged(record, confirmed);
  const sent = progress.sent ?? sentWith('PATCH', wanted.body);
  const attributesBeforeMark = beforeMark(record, wanted.body, whole);
  return confirmPatched(record, confirmed, { item, sent, attributesBeforeMark }, context);
}

/** What is known of an item that does not show files that were sent: whatever it had there before is gone, too. */
function lacking(attributes: readonly string[], { delivered, deliveredAttachments, ...patch }: Patch): Patch {
  const isLeft = (attribute: string) => !attributes.includes(attribute);
  return {
    ...patch,
    delivered: filterAttributes(delivered, isLeft),
    deliveredAttachments: filterAttributes(deliveredAttachments, isLeft),
  };
}

/**
 * Returns the item as it is after the PATCH, and the files that it has taken; undefined if the CMS has none (404).
 * @param patch `lost`: what it gives back to the item; `keep`: has the PATCH in the ledger before it is sent
 * @throws CodedError FF_CMS_EXTERNAL_ID_CUT, FF_CMS_NOT_TAKEN, FF_CMS_PATCH_REPLACES
 */
async function sendPatch(
  record: RecordWithItem,
  { body, live, lost, keep }: { body: Payload; live: CmsItem; lost: Payload; keep(): Promise<Sent> },
  { progress, files, context }: Delivery,
): Promise<{ item: CmsItem; taken: FilePayload } | undefined> {
  const unsent = unsentOf(writableOf(live, record.resource), body);
  const { externalId } = context.target;
  const sentId = externalId !== undefined && Object.hasOwn(body, externalId) ? externalId : undefined;
  return context.habits.afterFirstPatch(record.run, unsent, () => context.habits.sendId(record, sentId, send));

  async function send(note: (item: CmsItem) => Promise<unknown>) {
    progress.sent = await keep();
    progress.isAnswered = false;
    const answer = await answerOf(record, body, { progress, context });
    if (!answer) return undefined;
    const write = { sent: body, answer, former: beforePatch(record, body, live, context), live };
    const seen = await lookAtWritten(write, { progress, context });
    if (seen.isState) await note(seen.item);
    const loss = { live, item: seen.item, sent: body, lost: seen.lost };
    if (seen.lost.length > 0) await restoreLost(record, loss, { progress, context });
    if (Object.keys(lost).length > 0) noteRestored(record, lost, context);
    const notTaken = await learnFrom(seen, write, { progress, context });
    const taken = notTaken.length > 0 ? await withoutLost(notTaken, seen, { progress, files, context }) : files;
    if (!taken) throw untaken(record, live.id, notTaken);
    return { item: seen.item, taken };
  }
}

/** The files that a written item has, if all that the CMS did not take are files that the item does not show at all. */
async function withoutLost(
  notTaken: readonly string[],
  { item, isState }: Seen,
  { progress: { record }, files, context }: Delivery,
): Promise<FilePayload | undefined> {
  const isLost = (attribute: string) => Object.hasOwn(files.payload, attribute) && isUnfilled(valueAt(item, attribute));
  if (!isState || context.sync.onAttachmentError === 'hold' || !notTaken.every(isLost)) return undefined;
  return leaveOut(notTaken, { lostBy: item.id }, { record, files, context });
}

function untaken({ key }: ClaimedRecord, id: number, attributes: readonly string[]): CodedError {
  return new CodedError('FF_CMS_NOT_TAKEN', `The CMS did not take ${attributes.join(', ')} of "${key}", item ${id}`);
}

/** Sends what writes an item, without alternative texts if the CMS refuses these. */
async function send(
  body: Payload,
  { progress, context: { habits } }: Pick<Delivery, 'progress' | 'context'>,
  request: (body: Payload) => Promise<CmsItem>,
): Promise<CmsItem> {
  const answer = await request(progress.isWithoutAlt || habits.refusesAlt() ? withoutAlt(body) : body);
  // If pictures were left out afterwards, they were refused themselves.
  if (progress.isWithoutAlt && hasAlt(body)) habits.foundAltRefused();
  return answer;
}

/** Returns the answer to a PATCH; undefined: 404. */
async function answerOf(
  { resource, item }: RecordWithItem,
  body: Payload,
  { progress, context }: Pick<Delivery, 'progress' | 'context'>,
): Promise<CmsItem | undefined> {
  try {
    const { patch } = itemsOf(resource, context);
    return await send(body, { progress, context }, (sent) => patch(item.cmsId, sent));
  } catch (error) {
    noteNotFound(error, progress);
    return undefined;
  }
}

/** A request that was answered with 404 has changed nothing, unless one before it may have. @throws other errors */
function noteNotFound(error: unknown, progress: Progress): void {
  if (!isNotFound(error)) throw error;
  progress.isAnswered = true;
  progress.isInDoubt = error instanceof CmsError && error.mayBeApplied;
}

/** Sends a DELETE. Its answer proves nothing: the item is observed again. @throws CodedError FF_CMS_NOT_DELETED */
async function remove(record: RecordWithItem, live: CmsItem, { progress, context }: Delivery): Promise<Unsettled> {
  const { key, resource, item } = record;
  if (progress.isAnswered) {
    const message = `The CMS answered the delete of "${key}", but still has its item ${item.cmsId}.`;
    throw new CodedError('FF_CMS_NOT_DELETED', message);
  }
  const whole = { ...live, ...stillLost(record, live) };
  progress.sent = await keepDelete(record, whole, context);
  try {
    await itemsOf(resource, context).delete(item.cmsId);
    progress.isAnswered = true;
    progress.isInDoubt = true;
    const before = writableOf(whole, resource);
    progress.record = deletedRecord(record, { before, answeredAt: context.runtime.monotonic() });
  } catch (error) {
    // The CMS may hide its items for a while: nothing has deleted this one.
    noteNotFound(error, progress);
  }
  await context.call?.othersSent?.();
  return { again: undefined };
}

function deleted({ key, item }: RecordWithItem, recreate: boolean): DeliveryResult {
  const reason = `"${key}" was deleted in the CMS, where it was item ${item.cmsId}.`;
  return { is: 'deleted', recreate, code: 'FF_CMS_DELETED', reason };
}

function sentWith(method: 'POST' | 'PATCH', body: Payload): Sent {
  return { method, attributes: Object.keys(body) };
}

/** @throws CodedError FF_SECRET_… if the password cannot be decrypted */
function passwordOf(
  record: ClaimedRecord,
  { sync, passwordCipher }: Pick<DeliveryContext, 'sync' | 'passwordCipher'>,
): Payload {
  const password = 'password' in record ? record.password : null;
  return password === null ? {} : { password: passwordCipher.open(password, ...externalIdsOf(record, sync)) };
}

function doubtful(code: ErrorCode, seen: Observation): CodedError {
  if ('error' in seen) return seen.error;
  if (!('reason' in seen)) return unexpected(seen);
  return new CodedError('code' in seen && seen.code ? seen.code : code, seen.reason);
}

function liveOf(seen: Observation): CmsItem {
  if ('live' in seen) return seen.live;
  throw unexpected(seen);
}

function withItem(record: ClaimedRecord): RecordWithItem {
  if ('item' in record) return record;
  throw new CodedError('FF_BUG', `"${record.key}" has no item.`);
}

function unexpected({ is }: Observation): CodedError {
  return new CodedError('FF_BUG', `A delivery cannot act on "${is}".`);
}
