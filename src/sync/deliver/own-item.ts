import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import { type Json, type Payload, type Resource, UNKNOWN } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdOn, externalIdsOf } from '../items/external-id.ts';
import { filterAttributes, hasValue, isEmpty, matchKey } from '../items/values.ts';
import { isWithinADay, sightingOf } from '../search/rewritten-items.ts';

type Likeness = 'same' | 'similar' | 'other';

type OwnerContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'call'>;

/**
 * Reads the item of a record before it is changed or deleted. A CMS that was restored from a backup may have given the id to
 * another item.
 * @returns undefined if the CMS returns 404
 * @throws CmsError; CodedError FF_CMS_FOREIGN if the item is not the record's
 */
export async function readOwnItem(
  record: ClaimedRecord,
  cmsId: number,
  context: OwnerContext,
): Promise<CmsItem | undefined> {
  const live = await unlessDeleted(itemsOf(record.resource, context).get(cmsId));
  if (!live || (live.id === cmsId && isOwn(live, record, context))) return live;
  throw foreign(record, live);
}

/**
 * Checks the answer to a create: a CMS may return another item.
 * @throws CodedError FF_CMS_FOREIGN
 */
export function checkCreated(item: CmsItem, record: ClaimedRecord, context: OwnerContext): void {
  // A title or a day that the CMS has rewritten is no contradiction, as long as the other one fits.
  if (!isOwn(item, { ...record, delivered: record.desired }, context, ['same', 'similar'])) throw foreign(record, item);
}

function foreign({ key }: ClaimedRecord, item: CmsItem): CodedError {
  const { title, date, email, username } = item;
  const named = [title ?? email ?? username, date].filter((value) => typeof value === 'string').join(', ');
  const message = `The CMS has another item under the id of "${key}": item ${item.id}${named ? ` (${named})` : ''}.`;
  return new CodedError('FF_CMS_FOREIGN', message);
}

/** Whether an item has the external id of the record, or looks like a payload that was delivered or may have been. */
function isOwn(
  item: CmsItem,
  record: Pick<ClaimedRecord, 'sync' | 'key' | 'resource' | 'delivered' | 'desired' | 'unconfirmedPayloads'>,
  { sync, target }: Pick<OwnerContext, 'sync' | 'target'>,
  sufficient: Likeness[] = ['same'],
): boolean {
  const { delivered, desired, resource } = record;
  const shown = externalIdOn(item, target.externalId);
  // A record that was recognised under a new key still has the external id of the old one.
  const marked = target.externalId === undefined ? undefined : delivered?.[target.externalId];
  const externalIds = [...externalIdsOf(record, sync), ...(typeof marked === 'string' ? [marked] : [])];
  if (shown !== undefined && externalIds.some((id) => isSpelledLike(shown, id))) return true;
  if (shown !== undefined && marked !== undefined) return false;
  // The unconfirmed payloads include what was delivered before an unconfirmed change. For an item that was found and not
  // written yet, they include what its create may have sent.
  const changes = [...(delivered ? [delivered] : []), desired, ...(record.unconfirmedPayloads ?? [])];
  // A mark or an undo writes only some attributes.
  const known = changes.map((payload) => ({ ...delivered, ...payload })).filter((each) => isNamed(each, resource));
  return known.some((payload) => looksLike(item, payload, resource, sufficient));
}

/** Whether the attributes that identify the item are known. */
function isNamed(payload: Payload, resource: Resource): boolean {
  const names = resource === 'events' ? ['title', 'date'] : ['email', 'username'];
  return names.every((name) => payload[name] !== UNKNOWN);
}

/** Whether two external ids are the same in the CMS, which may change the case of an id or truncate it. */
function isSpelledLike(shown: string, externalId: string): boolean {
  return externalId.toLowerCase().startsWith(shown.toLowerCase());
}

/**
 * Whether an item looks like a payload. If its identity was edited in the CMS, enough other attributes except flags must
 * match.
 */
function looksLike(item: CmsItem, payload: Payload, resource: Resource, sufficient: Likeness[]): boolean {
  const identity = resource === 'events' ? likenessOfEvents(item, payload) : likenessOfAccounts(item, payload);
  if (sufficient.includes(identity)) return true;
  const names = resource === 'events' ? ['title', 'date', 'endDate', 'time'] : ['email', 'username', 'password'];
  const says = (value: Json) => !isEmpty(value) && typeof value !== 'boolean' && value !== UNKNOWN;
  const rest = filterAttributes(payload, (attribute, value) => !names.includes(attribute) && says(value));
  const kept = filterAttributes(rest, (attribute, value) => hasValue(item, attribute, value));
  const [total, same] = [Object.keys(rest).length, Object.keys(kept).length];
  return same * 2 >= total && same >= (identity === 'similar' ? 1 : 2);
}

function likenessOfEvents(item: CmsItem, payload: Payload): Likeness {
  const [live, wanted] = [sightingOf(item), sightingOf(payload)];
  const isTitle = wanted.title.startsWith(live.title) || live.title.startsWith(wanted.title);
  const isDay = !live.date || !wanted.date || isWithinADay(live.date, wanted.date);
  const fits = [isTitle, isDay];
  return fits.every(Boolean) ? 'same' : fits.some(Boolean) ? 'similar' : 'other';
}

function likenessOfAccounts(item: CmsItem, payload: Payload): Likeness {
  const names = ['email', 'username'].filter((name) => !isEmpty(payload[name] ?? null));
  const isSame = names.some((name) => matchKey([name], item) === matchKey([name], payload));
  return isSame || names.length === 0 ? 'same' : 'other';
}
