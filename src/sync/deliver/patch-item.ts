import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { EditorState } from '../../ledger/records/editor-state.ts';
import { rememberWritten } from '../compare/authority.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { rewrittenByCms } from '../items/item-images.ts';
import { filterAttributes } from '../items/values.ts';
import { attempt } from './attempt.ts';
import { imageOf, keepBefore } from './before-image.ts';
import { deletedInCms } from './deleted-in-cms.ts';

/** State of an item to store in the ledger, apart from the changes of a PATCH. */
export interface ItemState {
  delivered: Payload;
  deliveredAttachments: Record<string, string>;
  editorState: EditorState;
  incomplete: boolean;
}

/** Sends one PATCH for a record. `live` is its item before. */
export async function patchItem(
  record: ClaimedRecord,
  cmsId: number,
  { body, live, ...state }: ItemState & { body: Payload; live: CmsItem },
  context: DeliveryContext,
): Promise<DeliveryResult> {
  const before = await keepBefore(record, body, live, context);
  const sent = { method: 'PATCH' as const, attributes: Object.keys(body), ...imageOf(before, record.delivered) };
  return attempt({ sent }, record, context, async () => {
    const item = await unlessDeleted(itemsOf(record.resource, context).patch(cmsId, body));
    if (!item) return deletedInCms(record, cmsId, context);
    const made = rewrittenByCms(body, item);
    return {
      ...state,
      is: 'updated',
      cmsId,
      sent: { ...sent, after: made },
      delivered: { ...state.delivered, ...body },
      madeByCms: { ...filterAttributes(record.madeByCms, (attribute) => !Object.hasOwn(body, attribute)), ...made },
      editorState: rememberWritten(state.editorState, body, item, context.sync.authority ?? {}),
    };
  });
}
