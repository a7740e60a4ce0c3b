import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import { type Payload, unknown } from '../../core/record.ts';
import type { EditorState } from '../../ledger/database/item-state.ts';
import type { Incomplete } from '../../ledger/database/undelivered-files.ts';
import type { ClaimedRecord, RecordWithItem, StagedAttachment } from '../../ledger/records/claimed-record.ts';
import { bodiesOf, createdBodiesOf, inDoubt } from '../../ledger/records/open-attempts.ts';
import { allowedChanges, type Changes, needsLiveItem, respectEdits } from '../compare/authority.ts';
import { changedAttributes, changesOf } from '../compare/changes.ts';
import { type Fingerprints, fileIdOf, fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { externalIdAttribute } from '../items/external-id.ts';
import { filterAttributes } from '../items/values.ts';
import type { FilePayload } from './without-files.ts';

// What the requests of a delivery carry. Nothing here asks the CMS or the ledger.

type BodyContext = Pick<DeliveryContext, 'sync' | 'target'>;

/** No files to send. */
export const noFiles: FilePayload = { payload: {}, fingerprints: {}, uploads: 0 };

/** The attributes of a request, and the state of the item to store in the ledger once it is confirmed. */
export interface Patch {
  body: Payload;
  /** The item before the request, as far as it is known; attributes that an editor has changed have the editor's value. */
  delivered: Payload;
  deliveredAttachments: Record<string, string>;
  editorState: EditorState;
  incomplete?: Incomplete;
}

/** The PATCH of an item that gets the content of the source. */
interface ContentPatch extends Patch {
  /** What the source may change; of a file, its fingerprint. */
  changes: Changes;
  /** An editor may have changed what is to be sent: the live item decides. */
  dependsOnEdits: boolean;
}

/** Everything that a record wants of its item. */
export function wantedOf(record: ClaimedRecord, files: FilePayload, context: BodyContext): Payload {
  // An earlier create may have sent an older payload: the item gets all attributes, and empty ones are cleared.
  const isOlder = 'open' in record && record.open.some(({ body }) => body !== null);
  const cleared = isOlder
    ? filterAttributes(wantedFiles(record, context), (_, fingerprint) => fingerprint === null)
    : {};
  return { ...(cleared as Payload), ...record.desired, ...files.payload, ...externalIdAttribute(record, context) };
}

/** The changes of an item to its content in the source, as far as the source may make them. */
export function changesFor(record: RecordWithItem, context: BodyContext): Changes {
  const { editorState } = record.item;
  const desired = { payload: record.desired, fingerprints: wantedFiles(record, context) };
  return changesOf(desired, { ...contentOf(record), editorState }, context.sync.authority ?? {});
}

/**
 * The files of a record that its item lacks, or may lack, and those of them that are not to be tried yet. A mark, a restore and a
 * delete send no files.
 */
export function filesOf(record: ClaimedRecord, context: BodyContext): Record<'due' | 'waiting', StagedAttachment[]> {
  if (record.goal.is === 'exactly' || record.goal.is === 'gone') return { due: [], waiting: [] };
  if (!('item' in record) || record.knows === 'found') return { due: record.attachments, waiting: [] };
  const changes = changesFor(record, context);
  const lacked = record.attachments.filter(({ attribute }) => Object.hasOwn(changes, attribute));
  const { due = [], waiting = [] } = Object.groupBy(lacked, (file) =>
    isWaiting(file, record, context) ? 'waiting' : 'due',
  );
  return { due, waiting };
}

function isWaiting(file: StagedAttachment, { item: { incomplete } }: RecordWithItem, { sync }: BodyContext): boolean {
  if (!incomplete || incomplete.retryAfterMs === 0 || sync.onAttachmentError === 'hold') return false;
  return incomplete.files[file.attribute]?.file === fileIdOf(file);
}

/** The content of an item that was confirmed; what later attempts may have changed is unknown. */
function contentOf({ item, open }: RecordWithItem) {
  if (item.delivered === null) return { payload: null, fingerprints: item.deliveredAttachments };
  return inDoubt({ payload: item.delivered, fingerprints: item.deliveredAttachments }, open);
}

/** A file that could not be read when the plan was made is tried again. */
function wantedFiles({ attachments }: ClaimedRecord, { sync }: Pick<BodyContext, 'sync'>): Fingerprints {
  const unread = attachments.filter(({ fingerprint }) => fingerprint === undefined);
  return {
    ...fingerprintsOf(attachments, sync),
    ...Object.fromEntries(unread.map((file) => [file.attribute, fileIdOf(file)])),
  };
}

/**
 * The PATCH of an item that was confirmed before: attributes that differ, without those that an editor has changed in the CMS and
 * may keep.
 * @param live absent: edits are not considered
 */
export function patchOf(
  record: RecordWithItem,
  files: FilePayload,
  live: CmsItem | undefined,
  context: BodyContext,
): ContentPatch {
  const { authority = {} } = context.sync;
  const { item, open } = record;
  const content = contentOf(record);
  const changes = changesFor(record, context);
  const dependsOnEdits = needsLiveItem(changes, authority);
  const written = {
    authority,
    editorState: item.editorState,
    delivered: item.delivered ?? {},
    unconfirmed: bodiesOf(open),
  };
  const checked =
    live && dependsOnEdits
      ? respectEdits(changes, live, written)
      : { changes, kept: {}, editorState: item.editorState };
  const delivered = { ...content.payload, ...checked.kept };
  const uploaded = filterAttributes(files.payload, (attribute) => Object.hasOwn(checked.changes, attribute));
  // A file may be the delivered one although its address has changed.
  const others = changedAttributes({ ...uploaded, ...externalIdAttribute(record, context) }, delivered);
  const names = new Set(record.attachments.map(({ attribute }) => attribute));
  const body: Payload = {
    ...(filterAttributes(checked.changes, (attribute) => !names.has(attribute)) as Payload),
    ...others,
  };
  const sentFiles = filterAttributes(files.fingerprints, (attribute) => Object.hasOwn(uploaded, attribute));
  const fingerprints = { ...content.fingerprints, ...sentFiles };
  return {
    body,
    delivered,
    deliveredAttachments: filterAttributes(fingerprints, (attribute) => body[attribute] !== null),
    editorState: checked.editorState,
    incomplete: files.incomplete,
    changes: checked.changes,
    dependsOnEdits,
  };
}

/** The PATCH of a mark or restore: all desired attributes, and nothing else. Files are set by their paths in the CMS. */
export function exactPatchOf(record: RecordWithItem): Patch {
  const { desired: body, item } = record;
  const { payload, fingerprints } = contentOf(record);
  return {
    body,
    delivered: payload ?? {},
    // The fingerprints of the files set here are unknown: the next plan compares the source's files again.
    deliveredAttachments: filterAttributes(fingerprints, (attribute) => !Object.hasOwn(body, attribute)),
    editorState: item.editorState,
  };
}

/** What may be written to an item that was found, and what the item keeps. */
export interface FoundPatch {
  /** Without `initial` attributes, which the create has set, and attributes that editors have changed since. */
  body: Payload;
  /** What the item has in the other attributes, if it may differ from what is wanted. */
  kept: Payload;
  /** The attributes that editors have changed. */
  edited: string[];
  editorState: EditorState;
}

/** The PATCH of an item that an unconfirmed create has left. The item may have been found long ago. */
export function foundPatchOf(
  record: RecordWithItem,
  wanted: Payload,
  { fingerprints }: Pick<FilePayload, 'fingerprints'>,
  { live, sync }: { live: CmsItem } & Pick<BodyContext, 'sync'>,
): FoundPatch {
  const { authority = {} } = sync;
  const allowed = allowedChanges(wanted, authority, {}) as Payload;
  const unconfirmed = bodiesOf(record.open);
  // If the source has changed since the create, the value that the create has set is unknown.
  const created = createdBodiesOf(record.open);
  const mayDiffer = (attribute: string) =>
    created.some((payload) => !isDeepStrictEqual(payload[attribute] ?? null, wanted[attribute] ?? null));
  const initial = Object.keys(wanted).filter((attribute) => !Object.hasOwn(allowed, attribute));
  const set = unknown(initial.filter(mayDiffer));

  const written = { authority, editorState: {}, delivered: {}, unconfirmed };
  const { changes, kept, editorState } = respectEdits(allowed, live, written);
  const overruled = filterAttributes(editorState, (_, state) => 'overruled' in state);
  for (const [attribute, state] of Object.entries(overruled)) {
    editorState[attribute] = { ...state, overruled: fingerprints[attribute] ?? state.overruled };
  }
  return { body: changes as Payload, kept: { ...set, ...kept }, edited: Object.keys(overruled), editorState };
}
