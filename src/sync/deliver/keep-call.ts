import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { Sent } from '../../ledger/attempts/deliveries.ts';
import { type ClaimedRecord, type RecordWithItem, sentDelete } from '../../ledger/records/claimed-record.ts';
import type { Sending } from '../../ledger/records/opening.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { unsentOf } from '../evidence/evidence.ts';
import { asWritten, partsOf, writableOf } from '../items/item-images.ts';
import { filterAttributes, hasValue } from '../items/values.ts';

type KeepContext = Pick<DeliveryContext, 'ledger' | 'keepsBefore'>;

/**
 * Keeps a PATCH, the values that it will replace, and those that it does not send: if the process ends before it has looked at the
 * item, another one sees what the PATCH has emptied (see `stillLost`). In the images of the change, what an earlier attempt may have
 * replaced takes precedence over the values that the item has by now.
 * @param isAgain the claim has sent it before
 * @throws CmsError if the record is no longer ours: nothing may be sent
 */
export async function keepPatch(
  record: RecordWithItem,
  body: Payload,
  live: CmsItem,
  { ledger, keepsBefore }: KeepContext,
  isAgain?: boolean,
): Promise<Sent> {
  const isMark = record.goal.is === 'exactly' && record.goal.as === 'mark';
  const earlier = record.open.map(({ before, body: sent }) => filterAttributes(before ?? {}, isIn(sent ?? {})));
  const images = filterAttributes<Json>(Object.assign({}, ...earlier.toReversed()), isIn(body));
  const before: Payload | null = keepsBefore || isMark ? { ...partsOf(live, body), ...images } : null;
  const marked = isMark ? { ...record.item, attributesBeforeMark: beforeMark(record, body, live) } : undefined;
  const kept = { ...before, ...unsentIn(record, body, live) };
  await keep(record, { method: 'PATCH', body, before: kept, marked, isAgain }, ledger);
  return { method: 'PATCH', attributes: Object.keys(body), ...imageOf(before, record) };
}

/** The attributes that the PATCH of a mark replaces, as they were before the item was first marked; null: it is no mark. */
export function beforeMark({ goal, item }: RecordWithItem, body: Payload, live: CmsItem): Payload | null {
  if (goal.is !== 'exactly' || goal.as !== 'mark') return null;
  return { ...asWritten(partsOf(live, body)), ...item.attributesBeforeMark };
}

/**
 * Keeps a DELETE, and the whole item.
 * @throws CmsError if the record is no longer ours
 */
export async function keepDelete(
  record: RecordWithItem,
  live: CmsItem,
  { ledger, keepsBefore }: KeepContext,
): Promise<Sent> {
  const before = keepsBefore ? writableOf(live, record.resource) : null;
  await keep(record, { method: 'DELETE', body: null, before }, ledger);
  return { method: 'DELETE', attributes: [], ...imageOf(before, record) };
}

/** Keeps the PATCH of an item that was found. It is part of the create, so it replaces nothing. */
export async function keepTakeOver(
  record: RecordWithItem,
  body: Payload,
  live: CmsItem,
  { ledger }: KeepContext,
): Promise<void> {
  await keep(record, { method: 'PATCH', body, before: unsentIn(record, body, live) }, ledger);
}

/** The attributes of an item that have a value and are not sent. */
function unsentIn({ resource }: RecordWithItem, body: Payload, live: CmsItem): Payload {
  const writable = writableOf(live, resource);
  const unsent = unsentOf(writable, body);
  return filterAttributes(writable, (attribute) => unsent.includes(attribute));
}

function isIn(payload: Payload) {
  return (attribute: string) => Object.hasOwn(payload, attribute);
}

/** The delete that has removed the item, with the item as it was kept then. */
export function appliedDelete(record: ClaimedRecord): { sent?: Sent } {
  const before = sentDelete(record)?.before;
  if (!before || !('item' in record)) return {};
  return { sent: { method: 'DELETE', attributes: [], ...imageOf(before, record) } };
}

async function keep(record: RecordWithItem, call: Sending, ledger: KeepContext['ledger']): Promise<void> {
  if (await ledger.records.sending(record, call)) return;
  throw new CmsError('unsent', `The claim of "${record.key}" has lapsed.`, { method: call.method });
}

/** The part of `Sent` that says what an item was before the change, and what feedferry had delivered if that differs. */
function imageOf(before: Payload | null, { item }: RecordWithItem): Pick<Sent, 'before' | 'replaced'> {
  if (!before) return {};
  const replaced = filterAttributes(item.delivered ?? {}, (attribute, value) => {
    return Object.hasOwn(before, attribute) && !hasValue(before, attribute, value);
  });
  return { before, replaced };
}
