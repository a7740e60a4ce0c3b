import type { Payload } from '../../core/record.ts';
import type { Adoption, StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { EditorState } from '../../ledger/records/editor-state.ts';
import type { Authorities } from '../compare/authority.ts';
import { changedAttributes } from '../compare/changes.ts';
import { planRecord } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import { isEmpty, partsLike, sameValue, valueAt } from '../items/values.ts';

/**
 * Makes a record the owner of an item that the CMS has already: what the item has counts as delivered, so that only what
 * differs is sent. What it has in attributes in which an editor's word counts is taken for an editor's.
 * @param mark the external-id attribute, where it is configured
 */
export function adoptionOf(
  { key, payload, attachments }: StagedCreate,
  item: { id: number; [attribute: string]: unknown },
  { authority, mark }: { authority: Authorities; mark: Payload },
): Adoption {
  const delivered: Payload = {};
  const editorState: EditorState = {};
  for (const [attribute, value] of Object.entries({ ...payload, ...mark })) {
    const live = partsLike(valueAt(item, attribute), value);
    delivered[attribute] = sameValue(live, value) ? value : live;
    if (authority[attribute] !== 'editor') continue;
    const isEdited = !isEmpty(live) && !sameValue(live, value);
    editorState[attribute] = isEdited ? { written: null, overruled: value } : { written: live };
  }
  for (const { attribute, fingerprint = '' } of attachments) {
    const live = valueAt(item, attribute);
    if (authority[attribute] !== 'editor') continue;
    editorState[attribute] = isEmpty(live) ? { written: null } : { written: null, overruled: fingerprint };
  }
  // What an item has where the source has no file is none of ours: it stays.
  const fingerprints = fingerprintsOf(attachments, { attachments: {} });
  const { changed } = planRecord(
    { payload, fingerprints },
    { payload: delivered, fingerprints: {}, cmsId: item.id, editorState },
    authority,
  );
  const marked = Object.keys(changedAttributes(mark, delivered));
  return { key, cmsId: item.id, delivered, editorState, changed: [...changed, ...marked] };
}
