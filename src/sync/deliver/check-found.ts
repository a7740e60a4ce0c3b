import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import { type Payload, unknown } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { EditorState } from '../../ledger/records/editor-state.ts';
import { allowedChanges, respectEdits } from '../compare/authority.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { filterAttributes } from '../items/values.ts';
import { readOwnItem } from './own-item.ts';

/** What may be written to an item that was found, and what the item keeps. */
export interface FoundItem {
  /** Without `initial` attributes, which the create has set, and attributes that editors have changed since. */
  body: Payload;
  /** What the item has in the other attributes, if it may differ from what is wanted. */
  kept: Payload;
  /** The attributes that editors have changed. */
  edited: string[];
  editorState: EditorState;
  /** The item as it is. */
  live: CmsItem;
}

/**
 * Reads the item that an unconfirmed create has left, and decides which part of a payload may be written to it. The item may
 * have been found long ago, and the CMS restored since.
 * @param fingerprints of the files in the payload
 * @returns undefined if the item is missing
 * @throws CmsError; CodedError FF_CMS_FOREIGN if the item is not the record's
 */
export async function checkFound(
  record: ClaimedRecord & { cmsId: number },
  { wanted, fingerprints }: { wanted: Payload; fingerprints: Record<string, string> },
  context: DeliveryContext,
): Promise<FoundItem | undefined> {
  const { authority = {} } = context.sync;
  const allowed = allowedChanges(wanted, authority, {}) as Payload;
  const unconfirmed = record.unconfirmedPayloads ?? [];
  // If the source has changed since the create, the value that the create has set is unknown.
  const mayDiffer = (attribute: string) =>
    unconfirmed.some((payload) => !isDeepStrictEqual(payload[attribute] ?? null, wanted[attribute] ?? null));
  const initial = Object.keys(wanted).filter((attribute) => !Object.hasOwn(allowed, attribute));
  const set = unknown(initial.filter(mayDiffer));

  const live = await readOwnItem(record, record.cmsId, context);
  if (!live) return undefined;
  const written = { authority, editorState: {}, delivered: {}, unconfirmed };
  const { changes, kept, editorState } = respectEdits(allowed, live, written);
  const overruled = filterAttributes(editorState, (_, state) => 'overruled' in state);
  for (const [attribute, state] of Object.entries(overruled)) {
    editorState[attribute] = { ...state, overruled: fingerprints[attribute] ?? state.overruled };
  }
  const edited = Object.keys(overruled);
  return { body: changes as Payload, kept: { ...set, ...kept }, edited, editorState, live };
}
