import type { CmsItem } from '../../cms/client.ts';
import { readOnlyAttributes } from '../../core/attributes.ts';
import type { Json, Payload, Resource } from '../../core/record.ts';
import type { Sent } from '../../ledger/history/deliveries.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { isEmpty, partsLike, sameValue, valueAt } from '../items/values.ts';

/**
 * Keeps what a live item has of the attributes that are about to be sent; what an unsettled change began with counts.
 * @returns what it was in the attributes that are sent: an unsettled change may have been about others as well
 */
export async function keepBefore(
  record: ClaimedRecord,
  body: Payload,
  live: CmsItem,
  { ledger }: Pick<DeliveryContext, 'ledger'>,
): Promise<Payload> {
  const before = { ...partsOf(live, body), ...record.beforeImage };
  const marked =
    record.action === 'mark' ? { marked: { ...asWritten(partsOf(live, body)), ...record.attributesBeforeMark } } : {};
  await ledger.beforeImages.keep(record, { before, ...marked });
  return filter(before, (attribute) => Object.hasOwn(body, attribute));
}

/** Keeps the whole of a live item that is about to be deleted. */
export async function keepWhole(
  record: ClaimedRecord,
  live: CmsItem,
  { ledger }: Pick<DeliveryContext, 'ledger'>,
): Promise<Payload> {
  const before = writableOf(live, record.resource);
  await ledger.beforeImages.keep(record, { before });
  return before;
}

/** What is told of a request where nothing is kept of what items were. */
export function withoutImages({ method, attributes }: Sent): Sent {
  return { method, attributes };
}

/** The part of `Sent` that tells what an item was, and what feedferry had delivered where that was something else. */
export function imageOf(before: Payload | undefined, delivered: Payload | null): Pick<Sent, 'before' | 'replaced'> {
  if (!before) return {};
  const replaced = filter(delivered ?? {}, (attribute, value) => {
    return Object.hasOwn(before, attribute) && !sameValue(partsLike(before[attribute] ?? null, value), value);
  });
  return { before, replaced };
}

/** What the CMS made of the attributes that were sent, where that is something else. */
export function madeOf(sent: Payload, answer: CmsItem): Payload {
  return filter(partsOf(answer, sent), (attribute, value) => !sameValue(value, sent[attribute] ?? null));
}

/** What the CMS made of a create: what differs from what was sent, and what it added by itself. */
export function madeOfCreate(sent: Payload, answer: CmsItem, resource: Resource): Payload {
  const added = filter(writableOf(answer, resource), (attribute, value) => {
    return !Object.hasOwn(sent, attribute) && !isEmpty(value);
  });
  return { ...added, ...madeOf(sent, answer) };
}

/** What can be written again of an item (API: the attributes that do not just appear in responses). */
export function writableOf(item: CmsItem, resource: Resource): Payload {
  // No CMS should show a password; if one does, it is kept nowhere.
  const readOnly: ReadonlySet<string> = new Set([...readOnlyAttributes[resource], 'password']);
  const attributes = Object.entries(item as Payload).filter(([, value]) => value !== undefined);
  const writable = attributes.filter(([attribute]) => !readOnly.has(attribute));
  return Object.fromEntries(writable.map(([attribute, value]) => [attribute, withoutParts(attribute, value)]));

  function withoutParts(attribute: string, value: Json): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return filter(value, (part, member) => !readOnly.has(`${attribute}.${part}`) && member !== undefined);
  }
}

/** As the API takes it: of a file its `src` alone (API: "Resources and their fields"). */
export function asWritten(image: Payload): Payload {
  return Object.fromEntries(Object.entries(image).map(([attribute, value]) => [attribute, fileOf(value) ?? value]));
}

function fileOf(value: Json): Json | undefined {
  const isFile = typeof value === 'object' && value !== null && 'src' in value && typeof value.src === 'string';
  return isFile ? { src: value.src ?? null } : undefined;
}

/** Of an item the attributes, and of these the parts, that a payload has. */
export function partsOf(item: CmsItem, like: Payload): Payload {
  const parts = Object.entries(like).map(([attribute, value]) => [
    attribute,
    partsLike(valueAt(item, attribute), value),
  ]);
  return Object.fromEntries(parts) as Payload;
}

function filter(payload: Payload, wanted: (attribute: string, value: Json) => boolean): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([attribute, value]) => wanted(attribute, value)));
}
