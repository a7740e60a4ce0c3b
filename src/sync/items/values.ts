import { isDeepStrictEqual } from 'node:util';
import { isUnfilled } from '../../core/attributes.ts';
import { plainText } from '../../core/html/html-text.ts';
import { isObject, type Json, type Payload, UNKNOWN } from '../../core/record.ts';

type Attributes = Readonly<Record<string, unknown>>;

/**
 * Whether two values mean the same to a CMS: null, "", absent values and containers of only these are all empty, "18:00" is
 * "18:00:00", and line ends do not matter.
 */
export function sameValue(one: Json, other: Json): boolean {
  // Most values are equal as they are.
  if (one === other || (typeof one === 'object' && isDeepStrictEqual(one, other))) return true;
  const [first, second] = [normal(one), normal(other)];
  return typeof first === 'object' && typeof second === 'object' ? isDeepStrictEqual(first, second) : first === second;
}

export function isEmpty(value: Json): boolean {
  return typeof value === 'object' ? normal(value) === null : value === '';
}

/** An object with only the parts that `like` has, because a CMS adds parts of its own. Any other value as it is. */
export function partsLike(value: Json, like: Json): Json {
  if (!isObject(value) || !isObject(like)) return value;
  return Object.fromEntries(Object.keys(like).map((part) => [part, value[part] ?? null]));
}

/** The value of an attribute, or of a part of one (`time.start`), as JSON; null if there is none. */
export function valueAt(item: Attributes, path: string): Json {
  if (Object.hasOwn(item, path)) return (item[path] ?? null) as Json;
  const [, attribute = '', part = ''] = /^([^.]*)\.(.*)$/s.exec(path) ?? [];
  const value = Object.hasOwn(item, attribute) ? (item[attribute] as Json) : null;
  return isObject(value) ? valueAt(value, part) : null;
}

/** Whether an item has a value in an attribute. Parts that only the item has do not matter, and flags without a value are false. */
export function hasValue(item: Attributes, attribute: string, value: Json): boolean {
  const shown = valueAt(item, attribute);
  return sameValue(partsLike(shown, value), value) || (isUnfilled(value) && isUnfilled(shown));
}

/** Whether an item has a value that was sent, or what the CMS made of it when it was delivered. */
export function isAsSent(
  item: Attributes,
  attribute: string,
  sent: Json,
  { delivered, madeByCms }: { delivered: Payload | null; madeByCms: Payload },
): boolean {
  if (sent === UNKNOWN || hasValue(item, attribute, sent)) return true;
  const wasMade = Object.hasOwn(madeByCms, attribute) && isDeepStrictEqual(sent, delivered?.[attribute]);
  return wasMade && hasValue(item, attribute, madeByCms[attribute] ?? null);
}

/** Whether an item has all of these values. */
export function hasAll(item: Attributes, values: { readonly [attribute: string]: Json }): boolean {
  return Object.entries(values).every(([attribute, value]) => hasValue(item, attribute, value));
}

/**
 * The values that identify a record or an item, regardless of case and of what a CMS changes (see `plainText`); undefined if one of
 * the attributes is empty.
 */
export function matchKey(attributes: readonly string[], item: Attributes): string | undefined {
  const values = attributes.map((attribute) => valueAt(item, attribute));
  return values.some(isEmpty) ? undefined : JSON.stringify(values.map(folded));
}

function folded(value: Json): Json {
  return typeof value === 'string' ? wholeTime(plainText(value).toLowerCase()) : value;
}

/** The attributes for which a condition is true. */
export function filterAttributes<Value>(
  attributes: Readonly<Record<string, Value>>,
  isWanted: (attribute: string, value: Value) => boolean,
): Record<string, Value> {
  const read = (attribute: string) => attributes[attribute] as Value;
  const wanted = Object.keys(attributes).filter((attribute) => isWanted(attribute, read(attribute)));
  return Object.fromEntries(wanted.map((attribute) => [attribute, read(attribute)]));
}

function normal(value: Json): Json {
  if (typeof value === 'string') return value === '' ? null : wholeTime(value.replaceAll('\r\n', '\n'));
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(normal);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, normal(member)] as const);
  const filled = members.filter(([, member]) => member !== null);
  return filled.length === 0 ? null : Object.fromEntries(filled);
}

function wholeTime(text: string): string {
  return text.length === 5 && /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? `${text}:00` : text;
}
