import type { CmsItem } from '../../cms/client.ts';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import { type ClaimedRecord, type RecordWithItem, sentDelete } from '../../ledger/records/claimed-record.ts';
import { payloadsInDoubt } from '../../ledger/records/open-attempts.ts';
import { createsAgain } from '../compare/decide.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { fitsContent } from '../identity/identity.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdOn } from '../items/external-id.ts';
import { hasValue, isAsSent } from '../items/values.ts';
import { findCreatedItem, type LookUpResult } from '../match/find-created-item.ts';
import { idList } from '../match/match-groups.ts';
import { withoutNamed } from '../match/named-by-another.ts';
import { type Absence, proveAbsence } from '../match/prove-absence.ts';
import type { ItemIndex } from '../search/item-traits.ts';
import { filesOf, noFiles, patchOf } from './bodies.ts';
import { expectationOf, isEditedSince, readOwnItem } from './own-item.ts';
import { unsentInDoubt } from './restore-lost.ts';
import type { MissingFiles } from './upload-files.ts';
import type { FilePayload } from './without-files.ts';

/** The attributes by which lists are searched. */
const SEARCHED_BY = ['date', 'endDate', 'email', 'username'];

/** What a delivery has seen of a record in the CMS (see `sights` of protocol.ts). */
export type Observation =
  | { is: 'notAsked' | 'nothingToSend' }
  | LookUpResult
  | Unproven
  | { is: 'ownItem' | 'editedSince'; live: CmsItem }
  /** `cmsId`: the item's new id. */
  | { is: 'movedItem'; cmsId: number }
  | { is: 'foreignItem'; error: CodedError };

/** `code`: why, if not because the CMS shows too little. */
interface Unproven {
  is: 'unproven';
  reason: string;
  code?: ErrorCode;
}

/**
 * The files of a record that are to be uploaded, and those that are not to be tried yet. The live item is read only if editors own
 * one of them: a file that they have replaced is not uploaded.
 * @throws CmsError; CodedError FF_CMS_FOREIGN
 */
export async function missingFiles(record: ClaimedRecord, context: DeliveryContext): Promise<MissingFiles> {
  const files = filesOf(record, context);
  const { authority = {} } = context.sync;
  const areOwned = files.due.some(({ attribute }) => authority[attribute] === 'editor');
  if (!areOwned || !('item' in record) || record.knows === 'found') return files;
  const live = await readOwnItem(record, context);
  const { changes } = patchOf(record, noFiles, live, context);
  return { ...files, due: files.due.filter(({ attribute }) => Object.hasOwn(changes, attribute)) };
}

/** Looks at what the CMS has of a record, and changes nothing. @throws CmsError */
export async function observe(
  record: ClaimedRecord,
  files: FilePayload,
  context: DeliveryContext,
): Promise<Observation> {
  if (record.knows === 'none') return { is: 'notAsked' };
  if ('quiet' in record) return findCreatedItem(record, context);
  const body = plainBody(record, files, context);
  if (body && Object.keys(body).length === 0) return { is: 'nothingToSend' };
  try {
    // An upload may take minutes: a list may be older.
    const isListed = body && Object.keys(files.payload).length === 0;
    const live = await readOwnItem(record, context, isListed ? await listedItem(record, body, context) : undefined);
    if (!live) return observeAbsence(record, context);
    return { is: isEditedSince(record, live) ? 'editedSince' : 'ownItem', live };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'FF_CMS_FOREIGN') throw error;
    // It was the record's until the delete: the CMS has given the id out again since.
    if (sentDelete(record)?.answeredAt !== undefined) return { is: 'provenAbsent' };
    const known = `the CMS has another item under the id ${record.item.cmsId}`;
    const quietSince = context.runtime.monotonic();
    const isIt = (moved: CmsItem, payloads: readonly Payload[]) => fitsContent(moved, payloads, record.resource);
    return (await findMoved(record, { known, quietSince, isIt }, context)) ?? { is: 'foreignItem', error };
  }
}

/** The PATCH of a record whose item is known, if it belongs to the source alone: then the live item does not decide about it. */
function plainBody(record: RecordWithItem, files: FilePayload, context: DeliveryContext): Payload | undefined {
  if (record.goal.is !== 'have' || record.knows !== 'known' || Object.keys(unsentInDoubt(record)).length > 0)
    return undefined;
  const { body, dependsOnEdits } = patchOf(record, files, undefined, context);
  return dependsOnEdits ? undefined : body;
}

/** The item as a list shows it. What requests in doubt have made of it is read by its id. */
async function listedItem(record: RecordWithItem, body: Payload, context: DeliveryContext) {
  const { search, batch, sync } = context;
  if (record.open.length > 0 || !batch) return undefined;
  const { records, following } = batch;
  return search.listed(record, {
    sync,
    body,
    batch: () => records.slice(records.findIndex(({ id }) => id === record.id)).filter(isChanged),
    following,
    get: () => unlessDeleted(itemsOf(record.resource, context).get(record.item.cmsId)),
  });

  function isChanged(other: ClaimedRecord): other is RecordWithItem {
    if (!('item' in other) || other.open.length > 0 || filesOf(other, context).due.length > 0) return false;
    return Object.keys(plainBody(other, noFiles, context) ?? {}).length > 0;
  }
}

/**
 * Believes a 404 only if the lists of the CMS prove it. An item that shows the external id of the record under another id is its
 * item: the site may have been exported and imported.
 * @throws CmsError
 */
export async function observeAbsence(record: RecordWithItem, context: DeliveryContext): Promise<Observation> {
  const { cmsId } = record.item;
  const known = `the CMS returns 404 for item ${cmsId}`;
  const deletion = sentDelete(record);
  const quietSince = deletion?.answeredAt ?? context.runtime.monotonic();
  // A delete explains the 404: another item with the external id is a copy.
  const moved = deletion ? undefined : await findMoved(record, { known, quietSince, isIt: isUnchanged }, context);
  if (moved) return moved;
  const first = await look(quietSince);
  const absence = first.is === 'again' ? await look(context.runtime.monotonic()) : first;
  if (absence.is !== 'unproven') return { is: 'provenAbsent' };
  return { ...absence, ...unproven(record, `${known}, but ${absence.reason}`) };

  /** The item of the record may only be hidden for a while: an editor may have copied it, and rewritten the copy. */
  function isUnchanged(item: CmsItem): boolean {
    return contentsOf(record).some((payload) =>
      Object.entries(payload).every(([attribute, value]) => isAsSent(item, attribute, value, record.item)),
    );
  }

  async function look(quietSince: number): Promise<Absence | Unproven> {
    const indexes = await context.search.candidates({ ...record, quietSince }, contentsOf(record), callOf(context));
    if (indexes.some(({ sightings }) => sightings.has(cmsId))) {
      return { is: 'unproven', reason: 'its list shows it', ...(deletion && { code: 'FF_CMS_NOT_DELETED' }) };
    }
    const absence = await proveAbsence(record, indexes, context);
    return absence.is === 'unproven' || deletion ? absence : ((await seeAlike(indexes)) ?? absence);
  }

  /** Without its external id, a moved item is not recognised for certain. An item that is created again is looked up first. */
  async function seeAlike(indexes: readonly ItemIndex[]): Promise<{ is: 'unproven'; reason: string } | undefined> {
    if (record.goal.is === 'have' && createsAgain(context.sync)) return undefined;
    const { looks } = expectationOf(record, context);
    const found = indexes.flatMap((index) => index.idsOf('same', { externalIds: [], looks }));
    const owned = await context.ledger.records.ownersOf(record.resource, found);
    const alike = found.find((id) => !owned.has(id));
    if (alike === undefined) return undefined;
    return { is: 'unproven', reason: `item ${alike} looks like it: the CMS may have given it another id` };
  }
}

/**
 * Finds the item that shows the external id of the record under another id.
 * @param options `isIt`: whether that item has enough of the record to be its item
 * @throws CmsError
 */
async function findMoved(
  record: RecordWithItem,
  { known, quietSince, isIt }: { known: string; quietSince: number; isIt: IsIt },
  context: DeliveryContext,
): Promise<Observation | undefined> {
  const { item, resource } = record;
  const { search, target, ledger } = context;
  if (target.externalId === undefined) return undefined;
  const sought = { ...record, quietSince };
  const { externalIds, cut, looks } = expectationOf(record, context);
  const mayShow = cut === undefined ? externalIds : [...externalIds, cut];
  const listed = [
    ...(await search.candidates(sought, contentsOf(record), callOf(context))),
    ...(await search.newest(sought, callOf(context))),
  ];
  const marked = new Set(listed.flatMap((index) => index.idsOf('id', { externalIds: mayShow, looks: [] })));
  const shown = await withoutNamed(record, [...marked], listed, context);
  const [cmsId] = shown.filter((id) => id !== item.cmsId);
  if (cmsId === undefined) return undefined;
  if (shown.length > 1)
    return unproven(record, `${known}, and ${shown.length} items show its external id (${idList(shown)})`);
  if ((await ledger.records.ownersOf(resource, [cmsId])).has(cmsId)) {
    return unproven(
      record,
      `${known}, and the ledger has item ${cmsId}, which shows its external id, as another record`,
    );
  }
  const live = await unlessDeleted(itemsOf(resource, context).get(cmsId));
  const payloads = looks.map(({ payload }) => payload);
  const isMarked = externalIds.includes(externalIdOn(live ?? {}, target.externalId) ?? '');
  if (live && isMarked && isIt(live, payloads)) return { is: 'movedItem', cmsId };
  return unproven(
    record,
    cut === undefined
      ? `${known}, and item ${cmsId} shows its external id, but not its content: an editor may have copied it`
      : `${known}, and item ${cmsId} shows "${cut}", which the CMS has kept of its external id, and perhaps of others`,
  );
}

type IsIt = (item: CmsItem, payloads: readonly Payload[]) => boolean;

/** What the item may have: what was delivered, an update in doubt, or what editors had made of it when it was deleted. */
function contentsOf(record: RecordWithItem): Payload[] {
  const { item, desired, open } = record;
  const { delivered } = item;
  const known = delivered ?? desired;
  const before = sentDelete(record)?.before;
  const isMoved = before && SEARCHED_BY.some((name) => !hasValue(before, name, known[name] ?? null));
  return [known, ...payloadsInDoubt(open, { delivered, desired }), ...(isMoved ? [before] : [])];
}

function unproven({ key }: RecordWithItem, doubt: string): Unproven {
  return { is: 'unproven', reason: `"${key}": ${doubt}.` };
}
