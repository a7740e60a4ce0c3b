import type { CmsItem } from '../../cms/client.ts';
import { readOnlyAttributes } from '../../core/attributes.ts';
import { hashJson } from '../../core/hash.ts';
import { isObject, type Json, type Payload, type Resource } from '../../core/record.ts';
import { fileValue } from './alt-text.ts';
import { filterAttributes, hasValue, isEmpty, partsLike, valueAt } from './values.ts';

/** No CMS should show a password. A password that is shown is not kept. */
const unkept: Record<Resource, ReadonlySet<string>> = {
  events: new Set([...readOnlyAttributes.events, 'password']),
  accounts: new Set([...readOnlyAttributes.accounts, 'password']),
};

/** What the CMS made of the attributes that were sent, if it differs. */
export function rewrittenByCms(sent: Payload, answer: CmsItem): Payload {
  return filterAttributes(partsOf(answer, sent), (attribute) => !hasValue(answer, attribute, sent[attribute] ?? null));
}

/** The values that the CMS added to those of a create. */
export function addedByCms(sent: Payload, answer: CmsItem, resource: Resource): Payload {
  const unsent = filterAttributes(answer, (attribute) => !Object.hasOwn(sent, attribute)) as CmsItem;
  return filterAttributes(writableOf(unsent, resource), (_, value) => !isEmpty(value));
}

/** The attributes of an item that can be written again (API: all except those that only appear in responses). */
export function writableOf(item: CmsItem, resource: Resource): Payload {
  const readOnly = unkept[resource];
  const writable = filterAttributes(
    item as Payload,
    (attribute, value) => value !== undefined && !readOnly.has(attribute),
  );
  return Object.fromEntries(Object.entries(writable).map(([name, value]) => [name, withoutReadOnlyParts(name, value)]));

  function withoutReadOnlyParts(attribute: string, value: Json): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return filterAttributes(value, (part, member) => !readOnly.has(`${attribute}.${part}`) && member !== undefined);
  }
}

/** An image as the API takes it: a file is written as its `src` (API: "Resources and their fields"), and its alternative text. */
export function asWritten(image: Payload): Payload {
  return Object.fromEntries(Object.entries(image).map(([attribute, value]) => [attribute, fileOf(value) ?? value]));
}

function fileOf(value: Json): Json | undefined {
  if (!isObject(value) || typeof value.src !== 'string') return undefined;
  return fileValue(value.src, typeof value.alt === 'string' && value.alt !== '' ? value.alt : undefined);
}

/** The values of an item in the attributes of a payload; for objects, only the parts that the payload has. */
export function partsOf(item: CmsItem, like: Payload): Payload {
  const parts = Object.entries(like).map(([name, value]) => [name, partsLike(valueAt(item, name), value)]);
  return Object.fromEntries(parts) as Payload;
}

/**
 * Hash of an item when an undo, or a plan that replaces it, decides about it. The delivery compares the hash minutes or days later.
 * @param body what is to be restored; absent: the whole item counts
 */
export function itemHash(item: CmsItem, resource: Resource, body?: Payload): string {
  return hashJson(body ? partsOf(item, body) : writableOf(item, resource));
}
