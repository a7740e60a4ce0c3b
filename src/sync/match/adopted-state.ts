import type { CmsItem } from '../../cms/client.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';
import type { EditorState } from '../../ledger/database/item-state.ts';
import type { Adoption, StagedCreate } from '../../ledger/plans/adoptions.ts';
import { changedAttributes } from '../compare/changes.ts';
import { planRecord } from '../compare/decide.ts';
import { fileIdOf, fingerprintsOf } from '../compare/file-fingerprints.ts';
import { externalIdAttribute } from '../items/external-id.ts';
import { hasValue, isEmpty, partsLike, valueAt } from '../items/values.ts';

/**
 * Makes a record the owner of an item that the CMS has already. The values of the item count as delivered, so only differences
 * are sent. In attributes that editors own, the values count as an editor's.
 */
export function toAdoption(
  { key, payload, attachments }: StagedCreate,
  item: CmsItem,
  {
    sync: { name, authority = {} },
    target,
  }: { sync: Pick<SyncConfig, 'name' | 'authority'>; target: Pick<TargetConfig, 'externalId'> },
): Adoption {
  const externalId = externalIdAttribute({ sync: name, key }, { target });
  const delivered: Payload = {};
  const editorState: EditorState = {};
  for (const [attribute, value] of Object.entries({ ...payload, ...externalId })) {
    const live = partsLike(valueAt(item, attribute), value);
    const isSame = hasValue(item, attribute, value);
    delivered[attribute] = isSame ? value : live;
    if (authority[attribute] !== 'editor') continue;
    const isEdited = !isEmpty(live) && !isSame;
    editorState[attribute] = isEdited ? { written: null, overruled: value, kept: live } : { written: live };
  }
  for (const attachment of attachments) {
    const { attribute } = attachment;
    if (authority[attribute] !== 'editor') continue;
    const hasFile = !isEmpty(valueAt(item, attribute));
    editorState[attribute] = { written: null, ...(hasFile ? { overruled: fileIdOf(attachment) } : {}) };
  }
  // A file of the item stays if the source has none for the attribute.
  const fingerprints = fingerprintsOf(attachments, { attachments: {} });
  const known = { payload: delivered, fingerprints: {}, cmsId: item.id, editorState, isUnconfirmed: false };
  const { changed } = planRecord({ payload, fingerprints }, known, authority);
  const changedId = Object.keys(changedAttributes(externalId, delivered));
  return { key, cmsId: item.id, delivered, editorState, changed: [...changed, ...changedId] };
}
