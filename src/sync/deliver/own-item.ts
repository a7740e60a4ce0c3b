import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import { type Payload, UNKNOWN } from '../../core/record.ts';
import { type ClaimedRecord, itemOf, openOf, type RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { payloadsInDoubt } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { type IdentityGrade, suffices } from '../identity/grades.ts';
import { compare } from '../identity/identity.ts';
import { identifying, sightingOf } from '../identity/sighting.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdOn, externalIdsOf } from '../items/external-id.ts';

type OwnerContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'call'>;

/**
 * Reads the item of a record before it is changed or deleted. A CMS that was restored from a backup may have given the id to
 * another item.
 * @returns undefined if the CMS returns 404
 * @throws CmsError; CodedError FF_CMS_FOREIGN if the item is not the record's
 */
export async function readOwnItem(record: RecordWithItem, context: OwnerContext): Promise<CmsItem | undefined> {
  const { cmsId } = record.item;
  const live = await unlessDeleted(itemsOf(record.resource, context).get(cmsId));
  if (!live || (live.id === cmsId && suffices(gradeOf(live, record, context), 'own'))) return live;
  throw foreign(record, live);
}

/**
 * Checks the answer to a create: a CMS may return another item.
 * @throws CodedError FF_CMS_FOREIGN
 */
export function checkCreated(item: CmsItem, record: ClaimedRecord, context: OwnerContext): void {
  const grade = gradeOf(item, record, context, record.desired);
  if (!suffices(grade, 'created')) throw foreign(record, item);
}

function foreign({ key }: ClaimedRecord, item: CmsItem): CodedError {
  const { title, date, email, username } = item;
  const named = [title ?? email ?? username, date].filter((value) => typeof value === 'string').join(', ');
  const message = `The CMS has another item under the id of "${key}": item ${item.id}${named ? ` (${named})` : ''}.`;
  return new CodedError('FF_CMS_FOREIGN', message);
}

/** Grades an item by what it may show: what was delivered, or what may have been. */
function gradeOf(
  item: CmsItem,
  record: ClaimedRecord,
  { sync, target: { externalId } }: Pick<OwnerContext, 'sync' | 'target'>,
  delivered = itemOf(record)?.delivered ?? null,
): IdentityGrade {
  const { desired, resource } = record;
  // A record that was recognised under a new key still has the external id of the old one.
  const marked = externalId === undefined ? undefined : delivered?.[externalId];
  const externalIds = [...externalIdsOf(record, sync), ...(typeof marked === 'string' ? [marked] : [])];
  // The first rule of the table, before the payloads are compared: the answer to nearly every create meets it.
  if (externalIds.includes(externalIdOn(item, externalId) ?? '')) return 'id';
  const changes = [
    ...(delivered ? [delivered] : []),
    desired,
    ...payloadsInDoubt(openOf(record), { delivered, desired }),
  ];
  // A mark or an undo writes only some attributes.
  const payloads = changes.map((payload) => ({ ...delivered, ...payload }));
  const isTelling = (payload: Payload) => identifying[resource].every((name) => payload[name] !== UNKNOWN);
  const expected = {
    externalIds,
    mayBeUnmarked: marked === undefined,
    looks: payloads.filter(isTelling).map((payload) => ({ ...sightingOf(payload, resource), payload })),
  };
  return compare({ ...sightingOf(item, resource, externalId), all: item }, expected);
}
