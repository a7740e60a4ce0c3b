import type { CmsItem } from '../../cms/client.ts';
import { isUnfilled } from '../../core/attributes.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import type { RecordWithItem } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { lostAttributes, unsentOf } from '../evidence/evidence.ts';
import { identifying } from '../identity/sighting.ts';
import { itemsOf } from '../items/cms-items.ts';
import { asWritten, writableOf } from '../items/item-images.ts';
import { filterAttributes } from '../items/values.ts';
import type { Progress } from './second-look.ts';

/** A PATCH after which an item lacks attributes that it did not send. */
interface Loss {
  /** The item before. */
  live: CmsItem;
  /** The item after. */
  item: CmsItem;
  sent: Payload;
  lost: string[];
}

/**
 * Gives an item back the attributes that it lacks after a PATCH, together with those that the PATCH has sent. Unless it has lost most
 * of what it had, an editor may have emptied them at the same moment, or only one node of the CMS empties: the PATCH is repeated, and
 * if that empties nothing, the run continues. The values stay restored: an editor can empty them again. Attributes that the CMS does
 * not take back are its own.
 * @throws CodedError FF_CMS_PATCH_REPLACES if it has: nothing else may be sent; FF_CMS_NOT_TAKEN if the CMS does not take a delivered
 *   one back; CmsError
 */
export async function restoreLost(
  record: RecordWithItem,
  { live, item, sent, lost }: Loss,
  { progress, context }: { progress: Progress; context: DeliveryContext },
): Promise<void> {
  const { habits, target } = context;
  const { cmsId, delivered } = record.item;
  const items = itemsOf(record.resource, context);
  const before = writableOf(live, record.resource);
  const values = filterAttributes(before, (attribute) => lost.includes(attribute));
  // What follows says nothing about the PATCH, which may be applied.
  progress.isAnswered = true;
  progress.isInDoubt = true;
  if (!isReplaced(record, { live, sent, lost }, target.externalId)) {
    const restored = await restore();
    const left = lostAttributes(before, sent, restored);
    const untaken = lost.filter((attribute) => left.includes(attribute));
    const ours = lostAttributes(delivered ?? {}, sent, restored).filter((attribute) => untaken.includes(attribute));
    if (ours.length > 0) {
      const message = `The CMS empties ${ours.join(', ')} of "${record.key}", item ${cmsId}, with ${Object.keys(sent).join(', ')}`;
      throw new CodedError('FF_CMS_NOT_TAKEN', message);
    }
    habits.owns(untaken);
    const taken = filterAttributes(values, (attribute) => !untaken.includes(attribute));
    if (Object.keys(taken).length === 0) return;
    await items.patch(cmsId, sent);
    if (lostAttributes(taken, sent, await items.get(cmsId)).length === 0) {
      noteRestored(record, taken, context);
      return;
    }
  }
  const restored = await restore().catch((error: unknown) => toCodedError(error));
  const isRead = !(restored instanceof CodedError);
  const left = isRead ? lostAttributes(before, sent, restored) : lost;
  const which = left.length === 0 ? 'They were restored' : `Not restored: ${left.join(', ')}`;
  const why = isRead ? '' : ` (${restored.message})`;
  const message = `A PATCH of item ${cmsId}, "${record.key}", emptied attributes that it did not send: ${lost.join(', ')}. ${which}${why}`;
  const error = new CodedError('FF_CMS_PATCH_REPLACES', message);
  await habits.replaces(record.run, error, lost);
  throw error;

  /** Sends the whole item, in case the CMS empties all that it is not sent, with what editors have written meanwhile. */
  async function restore(): Promise<CmsItem> {
    const rest = filterAttributes(writableOf(item, record.resource), (_, value) => !isUnfilled(value));
    await items.patch(cmsId, { ...asWritten({ ...rest, ...values }), ...sent });
    return items.get(cmsId);
  }
}

/** Logs what an item got back: an editor may have emptied it. */
export function noteRestored(
  { key, item }: RecordWithItem,
  values: Payload,
  { log }: Pick<DeliveryContext, 'log'>,
): void {
  const { cmsId } = item;
  const attributes = Object.keys(values);
  const message = `Item ${cmsId}, "${key}", lacked ${attributes.join(', ')} after a PATCH that did not send it. The value was restored. If an editor emptied it, empty it again.`;
  log.warn({ key, cmsId, attributes }, message);
}

/** What PATCHes in doubt have emptied without sending it, as far as an item still lacks it. */
export function stillLost(record: RecordWithItem, live: CmsItem): Payload {
  const values = unsentInDoubt(record);
  const lost = lostAttributes(values, {}, live);
  return filterAttributes(values, (attribute) => lost.includes(attribute));
}

/**
 * What an item had before PATCHes in doubt that did not send it (see `keepPatch`). After each of them, the CMS may have emptied it,
 * unless a look has shown since that it is there.
 */
export function unsentInDoubt({ open }: RecordWithItem): Payload {
  let unsent: Payload = {};
  for (const { method, body, before, isSeen } of open) {
    if (method !== 'PATCH' || body === null) continue;
    const had = { ...unsent, ...before };
    const left = isSeen ? [] : unsentOf(had, body);
    unsent = filterAttributes(had, (attribute) => left.includes(attribute));
  }
  return unsent;
}

/** Whether an item has lost so much that no editor can have emptied it. */
function isReplaced(
  { resource }: RecordWithItem,
  { live, sent, lost }: Pick<Loss, 'live' | 'sent' | 'lost'>,
  externalId: string | undefined,
): boolean {
  const names = [...identifying[resource].map((path) => path.replace(/\..*/s, '')), externalId];
  const unsent = unsentOf(writableOf(live, resource), sent);
  return lost.some((attribute) => names.includes(attribute)) || (lost.length > 1 && lost.length * 2 > unsent.length);
}
